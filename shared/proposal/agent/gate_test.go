package agent_test

import (
	"testing"

	"earshot/shared/port/model/modeltest"
	"earshot/shared/proposal"
	"earshot/shared/proposal/agent"
	"earshot/shared/proposal/compose"
	"earshot/shared/proposal/rule"
)

// With the engine's own gate: what a good agent submits is accepted, and whatever another does, what comes out of a run
// holds to every rule or is nothing.
func TestRealGate(t *testing.T) {
	scripts := modeltest.Garbage()
	scripts["good"], scripts["looping"], scripts["obedient"] = modeltest.Good(), modeltest.Looping(), modeltest.Obedient()
	for _, lie := range modeltest.Lies() {
		scripts["liar about "+string(lie)] = modeltest.Liar(lie)
	}
	for name, script := range scripts {
		t.Run(name, func(t *testing.T) {
			w := newWorld(script)
			e := w.Evidence
			w.Check = func(d proposal.Decisions) ([]rule.Finding, proposal.Proposal) {
				p := compose.Study(e).Assemble(d)
				return rule.Check(p, e), p
			}
			result, err := agent.Run(t.Context(), w.Options)
			if err != nil || (result.Decisions == nil) != (len(result.Degraded) == 1) {
				t.Fatalf("%+v, %v", result, err)
			}
			w.bounded(t, result)
			if name == "good" && result.Decisions == nil {
				for _, r := range script.Requests() {
					for _, text := range spokenTo(r)[1:] {
						t.Log(text)
					}
				}
				t.Fatalf("%+v", result)
			}
			if result.Decisions == nil {
				return
			}
			if found := rule.Refused(rule.Check(compose.Study(e).Assemble(*result.Decisions), e)); len(found) > 0 {
				t.Errorf("%+v", found)
			}
		})
	}
}
