package workspace

// Flex lets a workspace take more mentions in a month than its plan has, at a price. The zero value is without.
type Flex struct {
	Cap    int // further mentions a month, at most: 1 to MaxFlex
	Budget int // cents that they may cost a month: 1 to MaxFlex
	Price  int // cents for 1,000 of them, 1 to MaxFlex: the agency's, when it was agreed
}

// MaxFlex bounds each number of a Flex, so that what is computed from them fits an int64 by far.
const MaxFlex = 100_000_000

// On reports whether flexible billing is on.
func (f Flex) On() bool { return f.Price > 0 }

// Mentions returns how many further mentions a month may bring: as many as both the cap and the budget allow.
func (f Flex) Mentions() int {
	if !f.On() {
		return 0
	}
	return int(min(int64(f.Cap), int64(f.Budget)*1000/int64(f.Price)))
}

// MentionLimit returns how many mentions the workspace takes in a month: its plan's, and what flexible billing adds.
func (w Workspace) MentionLimit() int { return w.Plan.Limits().Mentions + w.Flex.Mentions() }
