package problem

import "slices"

// A Code names a kind of failure: stable, for clients to branch on.
type Code string

// The codes of the description ("Errors"), the two that the contract adds for Idempotency-Key, and that of the MCP path.
const (
	Unauthorized                 Code = "UNAUTHORIZED"
	Forbidden                    Code = "FORBIDDEN"
	RateLimited                  Code = "RATE_LIMITED"
	ValidationError              Code = "VALIDATION_ERROR"
	InternalError                Code = "INTERNAL_ERROR"
	OrganizationRequired         Code = "ORGANIZATION_REQUIRED"
	ForbiddenOrganization        Code = "FORBIDDEN_ORGANIZATION"
	UpgradeRequired              Code = "UPGRADE_REQUIRED"
	QuotaExceeded                Code = "QUOTA_EXCEEDED"
	NotFound                     Code = "NOT_FOUND"
	MethodNotAllowed             Code = "METHOD_NOT_ALLOWED"
	FeedNotFound                 Code = "FEED_NOT_FOUND"
	KeywordNotFound              Code = "KEYWORD_NOT_FOUND"
	KeywordsNotFound             Code = "KEYWORDS_NOT_FOUND"
	PostNotFound                 Code = "POST_NOT_FOUND"
	MentionNotFound              Code = "MENTION_NOT_FOUND"
	SummaryNotFound              Code = "SUMMARY_NOT_FOUND"
	SearchNotFound               Code = "SEARCH_NOT_FOUND"
	SuggestionNotFound           Code = "SUGGESTION_NOT_FOUND"
	CompanyNotFound              Code = "COMPANY_NOT_FOUND"
	OrgNotFound                  Code = "ORG_NOT_FOUND"
	SettingsNotFound             Code = "SETTINGS_NOT_FOUND"
	NotificationNotFound         Code = "NOTIFICATION_NOT_FOUND"
	ViewNotFound                 Code = "VIEW_NOT_FOUND"
	AlertNotFound                Code = "ALERT_NOT_FOUND"
	AttentionItemNotFound        Code = "ATTENTION_ITEM_NOT_FOUND"
	SetupProposalNotFound        Code = "SETUP_PROPOSAL_NOT_FOUND"
	FeatureDisabled              Code = "FEATURE_DISABLED"
	InvalidInput                 Code = "INVALID_INPUT"
	KeywordLimitExceeded         Code = "KEYWORD_LIMIT_EXCEEDED"
	KeywordOperatorSyntax        Code = "KEYWORD_OPERATOR_SYNTAX"
	LastAdmin                    Code = "LAST_ADMIN"
	ItemExists                   Code = "ITEM_EXISTS"
	InvalidDomain                Code = "INVALID_DOMAIN"
	InvalidTimezone              Code = "INVALID_TIMEZONE"
	SlackNotConnected            Code = "SLACK_NOT_CONNECTED"
	SlackChannelNotFound         Code = "SLACK_CHANNEL_NOT_FOUND"
	SlackChannelRequired         Code = "SLACK_CHANNEL_REQUIRED"
	WebhookURLInvalid            Code = "WEBHOOK_URL_INVALID"
	NoDestinations               Code = "NO_DESTINATIONS"
	NoSampleMention              Code = "NO_SAMPLE_MENTION"
	InvalidDestination           Code = "INVALID_DESTINATION"
	DestinationIndexOutOfRange   Code = "DESTINATION_INDEX_OUT_OF_RANGE"
	FilterLimitExceeded          Code = "FILTER_LIMIT_EXCEEDED"
	FilterConditionLimitExceeded Code = "FILTER_CONDITION_LIMIT_EXCEEDED"
	EngagementMetricsDisabled    Code = "ENGAGEMENT_METRICS_DISABLED"
	AttentionActionNotApply      Code = "ATTENTION_ACTION_NOT_APPLY"
	FeedFilterWriteConflict      Code = "FEED_FILTER_WRITE_CONFLICT"
	EngageFailed                 Code = "ENGAGE_FAILED"
	RelevanceUpdateFailed        Code = "RELEVANCE_UPDATE_FAILED"
	MasterKeyRequired            Code = "MASTER_KEY_REQUIRED"
	AgencyInactive               Code = "AGENCY_INACTIVE"
	NotAnAgencyWorkspace         Code = "NOT_AN_AGENCY_WORKSPACE"
	AgencyNotFound               Code = "AGENCY_NOT_FOUND"
	WorkspaceNotInAgency         Code = "WORKSPACE_NOT_IN_AGENCY"
	AnchorWorkspace              Code = "ANCHOR_WORKSPACE"
	AgencyWorkspaceLimit         Code = "AGENCY_WORKSPACE_LIMIT"
	InviteFanoutTooLarge         Code = "INVITE_FANOUT_TOO_LARGE"
	SuperadminRemoveForbidden    Code = "SUPERADMIN_REMOVE_FORBIDDEN"
	UserRequired                 Code = "USER_REQUIRED"
	FlexRequiresCap              Code = "FLEX_REQUIRES_CAP"
	FlexRequiresBudget           Code = "FLEX_REQUIRES_BUDGET"
	AgencyBillingNotConfigured   Code = "AGENCY_BILLING_NOT_CONFIGURED"
	WorkspaceCreateFailed        Code = "WORKSPACE_CREATE_FAILED"
	WorkspaceSetupFailed         Code = "WORKSPACE_SETUP_FAILED"
	WorkspaceAccessFailed        Code = "WORKSPACE_ACCESS_FAILED"
	MentionKeywordUnknown        Code = "MENTION_KEYWORD_UNKNOWN"
	ExportLinkUnavailable        Code = "EXPORT_LINK_UNAVAILABLE"
	IdempotencyKeyReused         Code = "IDEMPOTENCY_KEY_REUSED"
	IdempotencyKeyInUse          Code = "IDEMPOTENCY_KEY_IN_USE"
)

// An Entry is a code's entry in the catalogue.
type Entry struct {
	Code    Code
	Status  int      // HTTP status of every response with this code
	Fields  []string // the members of "error" for this code, in addition to code, message and status
	Meaning string
}

// Catalogue returns every code with its status, in the order of the description. It is the only place that sets
// statuses. The contract sets those that the description leaves open ("Statuses for the codes whose status the source
// does not state").
func Catalogue() []Entry { return slices.Clone(catalogue) }

var catalogue = []Entry{
	{Unauthorized, 401, nil, "The API key is missing, malformed, unknown, revoked or expired."},
	{Forbidden, 403, nil, "The key may not do this, for example because its scope is too small."},
	{
		RateLimited, 429, nil,
		"The workspace's hourly request allowance is spent. Retry-After says when the next window opens.",
	},
	{ValidationError, 400, []string{"details"}, "The body or the query is malformed. details names the faults."},
	{InternalError, 500, nil, "The server failed. Send the request again."},
	{OrganizationRequired, 400, nil, "An agency master key must name the workspace in x-earshot-organization-id."},
	{ForbiddenOrganization, 403, nil, "The key cannot act in the workspace that the header names."},
	{
		UpgradeRequired,
		403,
		[]string{"upgradeUrl", "upgradeCommand"},
		"The Agents plan does not include this: an allowance is used up, or the operation is not part of the plan.",
	},
	{QuotaExceeded, 402, nil, "The month's mention quota is used up."},
	{NotFound, 404, nil, "The path, the method or the named resource does not exist."},
	{MethodNotAllowed, 405, nil, "The path takes another method, which the header Allow names."},
	{FeedNotFound, 404, nil, "No such feed in this workspace."},
	{KeywordNotFound, 404, nil, "No such keyword in this workspace."},
	{KeywordsNotFound, 404, nil, "The workspace does not have some of the named keywords."},
	{PostNotFound, 404, nil, "No such post in this workspace."},
	{MentionNotFound, 404, nil, "No such mention in this workspace."},
	{SummaryNotFound, 404, nil, "No such summary in this workspace."},
	{SearchNotFound, 404, nil, "No such search in this workspace."},
	{SuggestionNotFound, 404, nil, "No such suggestion in this workspace."},
	{CompanyNotFound, 404, nil, "The workspace has no company profile."},
	{OrgNotFound, 404, nil, "No such workspace."},
	{SettingsNotFound, 404, nil, "The workspace does not have these settings."},
	{NotificationNotFound, 404, nil, "No such notification in this workspace."},
	{ViewNotFound, 404, nil, "No feed has the id in view."},
	{AlertNotFound, 404, nil, "No such alert in this workspace."},
	{AttentionItemNotFound, 404, nil, "No such attention item in this workspace."},
	{SetupProposalNotFound, 404, nil, "This draft has no proposal."},
	{FeatureDisabled, 404, nil, "The operation is a beta that is off for this workspace."},
	{InvalidInput, 400, nil, "The request is well-formed, but its values or the present state do not allow it."},
	{KeywordLimitExceeded, 400, nil, "The plan has no room for another keyword."},
	{
		KeywordOperatorSyntax,
		400,
		[]string{"suggestion", "alternatives", "excludeWords"},
		"The keyword has search operators, which would be matched literally and never hit. Track the suggestion.",
	},
	{LastAdmin, 400, nil, "The only admin cannot be removed. Make another person an admin first."},
	{ItemExists, 400, nil, "The workspace has this item already."},
	{InvalidDomain, 400, nil, "The text is not a valid domain."},
	{InvalidTimezone, 400, nil, "The text is not the IANA name of a time zone."},
	{SlackNotConnected, 400, nil, "Slack is not connected to this workspace."},
	{SlackChannelNotFound, 400, nil, "Slack has no such channel."},
	{SlackChannelRequired, 400, nil, "A Slack destination needs a channel."},
	{WebhookURLInvalid, 400, nil, "The webhook's URL is not an https URL of the public internet that can be called."},
	{NoDestinations, 400, nil, "The notification has no destination to send to."},
	{NoSampleMention, 400, nil, "The feed has no mention to send as a sample."},
	{
		InvalidDestination, 400, nil,
		"A destination lacks the object of its type or has that of another type, or two destinations share a type.",
	},
	{DestinationIndexOutOfRange, 400, nil, "The feed has no destination at this index."},
	{FilterLimitExceeded, 400, nil, "The query has more than 50 conditions."},
	{
		FilterConditionLimitExceeded, 400, nil,
		"The feed would have more than 50 conditions on both sides of its filter, or the alert in its filter.",
	},
	{EngagementMetricsDisabled, 400, nil, "This deployment stores no engagement counters to filter by."},
	{AttentionActionNotApply, 400, nil, "This attention item has nothing to apply."},
	{FeedFilterWriteConflict, 409, nil,
		"Somebody changed the resource after it was read, or If-Match does not match. Read it and try again."},
	{EngageFailed, 500, nil, "The engagement mark could not be written. Send the request again."},
	{RelevanceUpdateFailed, 500, nil, "The relevance could not be written. Send the request again."},
	{MasterKeyRequired, 403, nil, "Agency operations need an agency's master key."},
	{AgencyInactive, 403, nil, "The agency is not active."},
	{NotAnAgencyWorkspace, 403, nil, "The workspace belongs to no agency."},
	{AgencyNotFound, 404, nil, "No such agency."},
	{WorkspaceNotInAgency, 404, nil, "No such workspace in this agency."},
	{AnchorWorkspace, 400, nil, "The agency's anchor workspace cannot be deleted."},
	{AgencyWorkspaceLimit, 400, nil, "The agency has no room for another workspace."},
	{InviteFanoutTooLarge, 400, nil, "Addresses times workspaces are more than 200. Send several calls."},
	{SuperadminRemoveForbidden, 403, nil, "A superadmin cannot be removed."},
	{UserRequired, 400, nil, "The operation needs a person, and this key belongs to none."},
	{FlexRequiresCap, 400, nil, "Flexible billing needs a cap of mentions."},
	{FlexRequiresBudget, 400, nil, "Flexible billing needs a budget."},
	{AgencyBillingNotConfigured, 400, nil, "The agency's billing is not set up."},
	{WorkspaceCreateFailed, 500, nil, "The workspace could not be created. Nothing was left behind."},
	{WorkspaceSetupFailed, 500, nil, "The workspace's settings could not be written. Nothing was left behind."},
	{WorkspaceAccessFailed, 500, nil, "Access to the workspace could not be granted. Nothing was left behind."},
	{MentionKeywordUnknown, 400, nil, "The filter names a keyword that this workspace does not have."},
	{ExportLinkUnavailable, 503, nil, "The link to the export cannot be made at the moment. Try again."},
	{IdempotencyKeyReused, 422, nil, "This Idempotency-Key was used with another request."},
	{IdempotencyKeyInUse, 409, nil, "The first request with this Idempotency-Key is still running."},
}

// entry returns a code's entry. It returns that of INTERNAL_ERROR for an unknown code, which is a programming mistake.
func entry(code Code) Entry {
	i := slices.IndexFunc(catalogue, func(e Entry) bool { return e.Code == code })
	if i < 0 {
		return entry(InternalError)
	}
	return catalogue[i]
}

// Status returns the HTTP status of a code.
func (c Code) Status() int { return entry(c).Status }
