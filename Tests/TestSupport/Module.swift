// Filled by the first commit.
