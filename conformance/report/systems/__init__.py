"""What single systems show beyond their rules: pictures and tables of what follows from them."""
