"""The front door: opens the frame, nothing else."""

from pages.shared import frame

frame.main()
