"""Files and the disk: what is packed, how much one may hold, what it is, and what the program keeps."""
