"""`make faults`: kills, disconnects or fills up each part of a site while simulated annotators judge."""
