// What an app embeds: the flows and the portfolio, the store under them, and the words of the domain.
@_exported public import FolioApp
@_exported public import FolioDomain
@_exported public import FolioGateway
@_exported public import FolioJSON
@_exported public import FolioStore
