"""Quality of annotators' work, controls, leniency, reliability and style."""
