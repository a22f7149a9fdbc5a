"""`make faults`: whatever a site is made of is killed, cut off or filled up while people judge in it."""
