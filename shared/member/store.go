package member

import "context"

// Store keeps members, invitations, leads and moves for a Desk. Each call is whole or not at all, however many run at
// once.
type Store interface {
	// Leads reads the lead of an agency for each person, in the order of emails. Without a lead it returns an open
	// invitation of the agency's workspaces that could become one.
	Leads(ctx context.Context, by Inviter, emails []string) ([]Lead, error)
	// Invite lets people into a workspace, each of them once, and returns a result for each. A person with an account
	// (AccountID) becomes a member. Any other person is invited. Of a Member it takes the address, the role, the
	// account and its name. Each person is let in whole or not at all, whatever comes of the others.
	//
	// For an agency without a lead for the person, the invitation becomes the lead and has a mail; with a lead it has
	// none. A member already is Granted. A person without a role asks for nothing but to make a lead of the invitation
	// that the workspace has sent by itself.
	//
	// For a workspace, the invitation has a mail, and an open one of any kind stays. Results fail with ErrExists for a
	// member already. by.Request names a request that a client may repeat: a repeat is Granted the membership that the
	// person has, and fails with ErrRemoved if the person has nothing any more.
	//
	// Results also fail with ErrFull, ErrDaily, and the store's own error for a workspace that is gone.
	Invite(ctx context.Context, by Inviter, workspaceID string, people []Member) []Result
	// OpenInvitation reads an invitation. open is false if it is gone or expired.
	OpenInvitation(ctx context.Context, orgID, id string) (i Invitation, open bool, err error)
	// AcceptInvitations turns the open invitations of an address into memberships of the account, and gives the account
	// to memberships that the address has. Returns the workspaces granted now, also with an error, which leaves
	// something to do.
	AcceptInvitations(ctx context.Context, email, accountID, name string) (granted []string, err error)
	// MemberOf reads the member with an address. is is false if there is none.
	MemberOf(ctx context.Context, orgID, email string) (m Member, is bool, err error)
	// Withdraw takes back an invitation whose address cannot receive mail and, if it is an agency's lead, the
	// invitations queued behind it. A missing invitation is no error.
	Withdraw(ctx context.Context, orgID, id string) error

	// ClaimMail claims an invitation's due mail, and reports whether the caller may send it: nobody has claimed it
	// since the invitation was read. claim is a name of the caller's own.
	ClaimMail(ctx context.Context, orgID string, i Invitation, claim string) (bool, error)
	// ClaimResend is ClaimMail for a mail that was sent before, or may have been. Nobody gets the claim within a minute
	// of another that the mailer has not refused. request names a request that a client may repeat. Returns ErrDaily.
	ClaimResend(ctx context.Context, orgID string, i Invitation, claim, request string) (bool, error)
	// SettleMail ends a claim on the mail of an invitation as it was before the claim. came is the result: MailSent,
	// MailUnknown, or MailDue if the mailer did not take the mail. A mail that was sent before stays MailSent, and one
	// that may have been stays MailUnknown.
	SettleMail(ctx context.Context, orgID string, i Invitation, claim string, came MailState) error
	// MailOf returns the state of the mail that tells of an invitation. For a queued invitation, that is the mail of
	// its agency's lead. Returns the empty state if the invitation or its lead is gone.
	MailOf(ctx context.Context, orgID string, i Invitation) (MailState, error)

	// Moves lists the moves that are due in a workspace.
	Moves(ctx context.Context, orgID string) ([]Move, error)
	// ClaimMove claims a move for a while. It returns false if another caller holds it, or if the move is made.
	ClaimMove(ctx context.Context, orgID, accountID, claim string) (Move, bool, error)
	// FinishMove ends the claim on a move that is made. If the account has to move again since, it returns that move.
	FinishMove(ctx context.Context, orgID string, made Move) (next Move, more bool, err error)
	// ReleaseMove ends the claim on a move that failed.
	ReleaseMove(ctx context.Context, orgID string, claimed Move) error
	// MovesLeft returns those of the moves that nobody has made yet.
	MovesLeft(ctx context.Context, among []Move) ([]Move, error)

	// InvitationsByKey reads invitations, each named once. It leaves out those that are gone. over lists their
	// workspaces, if these still exist.
	InvitationsByKey(ctx context.Context, keys []InvitationKey) (there []Invitation, over []string, err error)
}
