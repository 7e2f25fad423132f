// The tests of the programs come with the programs.
