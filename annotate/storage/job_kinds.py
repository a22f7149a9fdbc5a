"""Names of the kinds of jobs, as stored in the database."""

CHECK_UPLOAD = "check-upload"


IMPORT_UPLOAD = "import-upload"


PREVIEW_CAMPAIGN = "preview-campaign"


LAUNCH_CAMPAIGN = "launch-campaign"


MAKE_CONTROLS = "make-controls"


ACCEPT_SUBMISSION = "accept-submission"


DELETE_CORPUS = "delete-corpus"


DELETE_CAMPAIGN = "delete-campaign"


LABEL_EDITS = "label-edits"


SCORE_CORPUS = "score-corpus"


STORE_SCORES = "store-scores"


DELETE_SCORES = "delete-scores"


MAKE_REFERENCES = "make-references"


REMOVE_REFERENCES = "remove-references"


DRAFT_VALIDITY = "draft-validity"


LOOK_AT_RANKING = "look-at-ranking"
