"""One module for each analysis: parameters, a pure function, a result."""
