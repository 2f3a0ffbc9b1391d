"""How the pieces are drawn that the scanner lifts out of the text: a module for each kind."""
