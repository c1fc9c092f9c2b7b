"""The four small views of the Lab, and what moves in them with C."""
