"""Files and folders in the format of LETOR."""
