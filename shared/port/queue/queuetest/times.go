package queuetest

import (
	"slices"
	"time"

	"earshot/shared/port/queue"
)

func testDelay(e *env) {
	late := queue.Message{Body: []byte("late"), Delay: 2 * time.Second}
	e.send(First, queue.Message{Body: []byte("now")}, late, queue.Message{Body: []byte("never"), Delay: queue.MaxDelay})
	sent := time.Now()
	early := map[string]bool{}
	e.receive(First, func(batch []queue.Delivery) []string {
		for _, delivery := range batch {
			early[string(delivery.Body)] = true
		}
		return nil
	})
	// On a slow machine the delay may have passed already.
	if !early["now"] || early["late"] && time.Since(sent) < late.Delay || early["never"] {
		e.Fatal("came at once:", early)
	}
	e.Elapse(late.Delay)
	if !early["late"] {
		e.wants(First, "late")
	}
}

// testRedelivery fails one message of three. It must arrive again with its id after the visibility timeout, and the
// others must not.
func testRedelivery(e *env) {
	e.send(First, messages("good", "bad", "fine")...)
	var id string
	came := map[string]int{}
	handle := func(batch []queue.Delivery) (failed []string) {
		for _, delivery := range batch {
			came[string(delivery.Body)]++
			if string(delivery.Body) == "bad" {
				id = delivery.ID
				if delivery.Receives != 1 {
					e.Errorf("the first time it has come %d times", delivery.Receives)
				}
				failed = append(failed, id)
			}
		}
		return failed
	}
	for count := 0; count < 3; {
		received := e.receive(First, handle)
		if received == 0 {
			e.Fatalf("%d of 3 messages came", count)
		}
		count += received
	}
	if came["good"] != 1 || came["bad"] != 1 || came["fine"] != 1 {
		e.Fatal("came:", came)
	}
	e.Elapse(Visibility)
	again := e.drain(First)
	if delivery := again[id]; len(again) != 1 || string(delivery.Body) != "bad" || delivery.Receives != 2 {
		e.Fatalf("came again: %+v", again)
	}
	e.Elapse(Visibility)
	e.wants(First)
}

// testDeadLetter fails a message as often as it arrives.
func testDeadLetter(e *env) {
	e.send(First, messages("poison", "well")...)
	times := 0
	handle := func(batch []queue.Delivery) (failed []string) {
		for _, delivery := range batch {
			if string(delivery.Body) == "poison" {
				times++
				failed = append(failed, delivery.ID)
			}
		}
		return failed
	}
	for range MaxReceives + 2 {
		e.receive(First, handle)
		e.receive(First, handle) // a batch may hold fewer messages than the queue
		e.Elapse(Visibility)
	}
	if times != MaxReceives {
		e.Fatalf("it came %d times, want %d", times, MaxReceives)
	}
	dead, err := e.Dead(e.Context(), First)
	e.must(err)
	if !slices.ContainsFunc(dead, func(d queue.Delivery) bool { return string(d.Body) == "poison" && d.ID != "" }) ||
		len(dead) != 1 {
		e.Fatalf("dead letters: %+v", dead)
	}
	e.wants(First)
}

// testApart tests that a message does not arrive from another queue.
func testApart(e *env) {
	e.send(First, messages("for the first")...)
	e.send(Second, messages("for the second")...)
	e.wants(Second, "for the second")
	e.wants(First, "for the first")
	dead, err := e.Dead(e.Context(), Second)
	e.must(err)
	if len(dead) != 0 {
		e.Fatalf("dead letters: %+v", dead)
	}
}
