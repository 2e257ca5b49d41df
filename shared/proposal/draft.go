package proposal

import (
	"slices"
	"time"
)

// PrefixDraft is how a draft's id begins; a ULID follows.
const PrefixDraft = "draft_"

// MaxDraftID is how many characters an id of a draft has at most ("Limits" in the description).
const MaxDraftID = 64

// A Status is a draft's.
type Status string

// The states ("States and transitions" in the description).
const (
	Scanning       Status = "scanning"
	Scanned        Status = "scanned"
	Proposing      Status = "proposing"
	Measuring      Status = "measuring"
	Sampling       Status = "sampling"
	Ready          Status = "ready"
	NeedsNarrowing Status = "needs_narrowing"
	Failed         Status = "failed"
	Applied        Status = "applied"
)

// A Draft is a company's domain on its way to a configuration.
type Draft struct {
	ID              string // draft_…
	Domain          string // workspace.ParseDomain's
	Status          Status
	Message         string // why the scan or the run failed, for people; else empty
	Profile         *Profile
	ProfileRevision int64     // raised by every change of Profile
	Run             int64     // number of the last run, from 1; 0: propose was never called
	DueAt           time.Time // when what is under way is taken for dead; zero when settled
	CreatedAt       time.Time
	UpdatedAt       time.Time
	Revision        int64
}

// A Profile is what is known of a company.
type Profile struct {
	Company       string   `json:"company"`       // its name, as people write it
	Description   string   `json:"description"`   // what it does
	Products      []string `json:"products"`      // names
	Audience      string   `json:"audience"`      // whom it is for
	Handles       []Handle `json:"handles"`       // accounts
	Language      string   `json:"language"`      // of its site: a name of shared/language, or "undetermined"
	Competitors   []string `json:"competitors"`   // names
	IndustryTerms []string `json:"industryTerms"` // what its field is called
	OtherNames    []string `json:"otherNames"`    // old ones, and other spellings
	Notice        Notice   `json:"notice,omitempty"`
}

// A Notice says why a page tells little of a company. It is empty for a page that does not, and once a person has
// edited the profile.
type Notice string

// The notices.
const (
	NoticeOtherSite Notice = "other_site"   // the domain leads to a site of another name
	NoticeLogin     Notice = "login_wall"   // the page asks to sign in
	NoticeSoon      Notice = "coming_soon"  // the page announces a site or is under maintenance
	NoticeScript    Notice = "script_only"  // the page shows nothing without JavaScript
	NoticeEmpty     Notice = "empty_page"   // the page shows nothing
	NoticeAge       Notice = "age_gate"     // the page asks visitors for their age
	NoticeChooser   Notice = "chooser"      // the page asks for a country or a language
	NoticeConsent   Notice = "consent_wall" // the page asks for consent, or for money in its place
	NoticeFrames    Notice = "frames_only"  // the page shows other pages in frames, and has no text itself
)

// Notices lists them.
func Notices() []Notice {
	return []Notice{
		NoticeOtherSite, NoticeLogin, NoticeSoon, NoticeScript, NoticeEmpty, NoticeAge, NoticeChooser, NoticeConsent,
		NoticeFrames,
	}
}

// Warning returns the code of the warning that a proposal has for the notice.
func (n Notice) Warning() string { return "page_" + string(n) }

// Bounds of a profile.
const (
	MaxProfileText  = 2_000 // characters of Description and Audience
	MaxProfileName  = 100   // characters of every name and term
	MaxProfileTerms = 30    // of every list
)

// Clone is a copy that shares nothing.
func (p Profile) Clone() Profile {
	p.Products, p.Handles = slices.Clone(p.Products), slices.Clone(p.Handles)
	p.Competitors, p.IndustryTerms = slices.Clone(p.Competitors), slices.Clone(p.IndustryTerms)
	p.OtherNames = slices.Clone(p.OtherNames)
	return p
}

// Same says whether nothing differs. A list that is nil is one that is empty.
func (p Profile) Same(q Profile) bool {
	return p.Company == q.Company && p.Description == q.Description && p.Audience == q.Audience &&
		p.Language == q.Language && slices.Equal(p.Products, q.Products) && slices.Equal(p.Handles, q.Handles) &&
		slices.Equal(p.Competitors, q.Competitors) &&
		slices.Equal(p.IndustryTerms, q.IndustryTerms) &&
		slices.Equal(p.OtherNames, q.OtherNames) && p.Notice == q.Notice
}

// OwnHandles returns the handles that the site links or a person confirmed, each once.
func (p Profile) OwnHandles() (own []string) {
	for _, h := range p.Handles {
		if h.Linked && !slices.Contains(own, h.Handle) {
			own = append(own, h.Handle)
		}
	}
	return own
}

// A Handle is a company's account on a platform.
type Handle struct {
	Platform string `json:"platform"` // as keyword.Platforms has it, or another network's name
	Handle   string `json:"handle"`   // without the @
	Linked   bool   `json:"linked"`   // the site links it, or a person confirmed it
}

// A Run is one making of a proposal. It is never changed by a later one.
type Run struct {
	DraftID         string
	Number          int64
	Domain          string
	Tier            Tier
	Guide           string  // the GuideVersion that it began under
	Model           string  // that was configured when it began; empty: none
	Profile         Profile // as it was when it began
	ProfileRevision int64
	StartedAt       time.Time
	FinishedAt      time.Time // zero: it is under way
	Ended           Status    // how it ended; empty while it is under way
	AgentFallback   bool
	Steps           []Step // of the stages that began, in their order
	Proposal        *Proposal
}

// Degraded are the degradations of a run's steps, in their order.
func (r Run) Degraded() []Degradation {
	degraded := []Degradation{}
	for _, step := range r.Steps {
		degraded = append(degraded, step.Degraded...)
	}
	return degraded
}

// A Stage is a part of a run.
type Stage string

// The stages. Pipeline has their order.
const (
	StageCandidates Stage = "candidates"
	StageMeasure    Stage = "measure"
	StageSample     Stage = "sample"
	StageAgent      Stage = "agent"
	StageValidate   Stage = "validate"
)

// A StepStatus is how a stage stands.
type StepStatus string

// The statuses of a step.
const (
	StepRunning StepStatus = "running"
	StepOK      StepStatus = "ok"
	StepFailed  StepStatus = "failed"
	StepSkipped StepStatus = "skipped"
)

// Values lists them.
func (StepStatus) Values() []StepStatus {
	return []StepStatus{StepRunning, StepOK, StepFailed, StepSkipped}
}

// A Step is what is known of a stage of a run.
type Step struct {
	Stage     Stage
	Status    StepStatus
	Line      string // of progress, for people
	StartedAt time.Time
	Took      time.Duration // of a step that ended
	Degraded  []Degradation
	Timeline  []Entry // its tool calls, and the stage itself once it ended
	Kept      Kept    // where its outcome is, once it ended
}

// Kept says where the store has a step's outcome. The zero Kept has none.
type Kept struct {
	Attempt string
	Chunks  int64
}

// End returns the step as it ended: how, when, and after which tool calls.
func (s Step) End(how Ending, at time.Time, before ...Entry) Step {
	took := max(at.Sub(s.StartedAt), 0)
	s.Status, s.Line, s.Took, s.Degraded = how.Status, how.Line, took, how.Degraded
	s.Timeline = append(slices.Clone(before),
		Entry{Kind: EntryStage, Name: string(s.Stage), Status: string(how.Status), Took: &took})
	return s
}

// An Entry is a stage or a tool call with its timing.
type Entry struct {
	Kind   string // EntryStage or EntryTool
	Name   string
	Status string
	Took   *time.Duration // nil: not known
}

// The kinds of entries.
const (
	EntryStage = "stage"
	EntryTool  = "tool"
)

// A Degradation is what a proposal had to do without.
type Degradation struct {
	Code    DegradationCode `json:"code"`
	Message string          `json:"message"`
}

// A DegradationCode names a degradation.
type DegradationCode string

// The codes ("Degradation code" in the description).
const (
	CandidatesFailed    DegradationCode = "candidates_failed"
	MeasurementFailed   DegradationCode = "measurement_failed"
	SampleFailed        DegradationCode = "sample_failed"
	AgentFailed         DegradationCode = "agent_failed"
	AgentBudgetExceeded DegradationCode = "agent_budget_exceeded"
	AgentInvalid        DegradationCode = "agent_invalid"
	ProposeInterrupted  DegradationCode = "propose_interrupted"
)

// Degrade is a degradation with the sentence that people read.
func Degrade(code DegradationCode) Degradation {
	return Degradation{Code: code, Message: degradations[code]}
}

// Values lists the codes.
func (DegradationCode) Values() []DegradationCode {
	return []DegradationCode{
		CandidatesFailed, MeasurementFailed, SampleFailed, AgentFailed, AgentBudgetExceeded, AgentInvalid,
		ProposeInterrupted,
	}
}

var degradations = map[DegradationCode]string{
	CandidatesFailed:    "The profile could not be turned into candidates: brand, domain and handle come from the domain alone.",
	MeasurementFailed:   "Nothing could be measured: volumes are estimates from the kind of name, and every keyword is unverified.",
	SampleFailed:        "No posts could be read: nothing is known of their relevance, and only the brand's feed is visible.",
	AgentFailed:         "The model did not answer: the proposal was composed by rules.",
	AgentBudgetExceeded: "The model used up its budget: the proposal was composed by rules.",
	AgentInvalid:        "What the model proposed does not hold to the rules: the proposal was composed by rules.",
	ProposeInterrupted:  "The run was interrupted and finished by rules from what it had: volumes are estimates, and only the brand's feed is visible.",
}
