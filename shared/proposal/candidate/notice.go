package candidate

import "earshot/shared/proposal"

// noticed are the warnings of profiles whose page told little.
var noticed = map[proposal.Notice]string{
	proposal.NoticeOtherSite: "The domain leads to a site of another name, so the profile may be another company's. " +
		"Please check it.",
	proposal.NoticeLogin: "The domain's page asks visitors to sign in and tells little of the company. " +
		"Please complete the profile.",
	proposal.NoticeSoon: "The domain's page announces a site that is not there yet. Please complete the profile.",
	proposal.NoticeScript: "The domain's page shows its text only with JavaScript, which is not run, " +
		"so little of it was read. Please complete the profile.",
	proposal.NoticeEmpty: "The domain's page shows no text or next to none, so little of the company is known. " +
		"Please complete the profile.",
	proposal.NoticeAge: "The domain's page asks visitors for their age and tells little of the company. " +
		"Please complete the profile.",
	proposal.NoticeChooser: "The domain's page asks visitors to choose a country or a language and tells little of the " +
		"company. Please complete the profile.",
	proposal.NoticeConsent: "The domain's page asks visitors to accept cookies or to subscribe and tells little of the " +
		"company. Please complete the profile.",
	proposal.NoticeFrames: "The domain's page shows other pages in frames, which are not read. " +
		"Please complete the profile.",
}

// notice warns of a page that told little.
func (m *maker) notice(n proposal.Notice) {
	if message := noticed[n]; message != "" {
		m.warn(n.Warning(), "", message)
	}
}
