// Elevator has elevators that go home too early.
//
// The bug: an elevator takes itself out of service as soon as nobody presses its
// button. A person who comes a moment later sends to a closed channel. heddle
// check reports the panic, with the person as the one who moved last. The cure is
// in the folder above: the elevator knows how many trips it has to make. Two
// elevators are enough to show it.
//
// Finding: panic.
package main

import (
	"fmt"
	"sync"

	"github.com/heddle-mc/heddle/verify"
)

const (
	elevators = 2
	floors    = 10
	people    = 4
)

// A trip is what a person wants. The elevator sends the floor to arrived.
type trip struct {
	from, to int
	arrived  chan int
}

type elevator struct {
	calls chan trip
	floor int
	load  int // persons inside
	open  bool
}

// view is what a property of two states sees of an elevator.
type view struct {
	floor int
	open  bool
}

func newElevator(calls chan trip) *elevator {
	e := &elevator{calls: calls}
	verify.Always(func() bool { return 0 <= e.floor && e.floor < floors })
	verify.Always(func() bool { return 0 <= e.load && e.load <= 1 })
	verify.Always(func() bool { return !e.open || e.load == 1 })
	verify.Step(func() view { return view{e.floor, e.open} }, func(before, after view) bool {
		return !before.open || !after.open || before.floor == after.floor
	})
	return e
}

// moveTo moves floor by floor.
func (e *elevator) moveTo(floor int) {
	verify.Assert(!e.open, "the elevator moves with its door open")
	for e.floor != floor {
		if e.floor < floor {
			e.floor++
		} else {
			e.floor--
		}
		verify.Assert(0 <= e.floor && e.floor < floors, "the elevator leaves the building")
	}
}

// carry makes a trip. Its person gets in and out while the door is open.
func (e *elevator) carry(t trip) {
	verify.Assert(t.from != t.to, "a trip to nowhere")
	e.moveTo(t.from)
	verify.Assert(e.load == 0, "two persons in an elevator for one")
	e.load++
	e.moveTo(t.to)
	e.open = true
	t.arrived <- e.floor
	verify.Assert(e.load == 1, "somebody got out who was not in")
	e.open = false
	e.load--
}

// serve makes the next trip, or ends the service.
func (e *elevator) serve() bool {
	select {
	case t := <-e.calls:
		e.carry(t)
		return true
	default:
		close(e.calls) // BUG: nobody there does not mean that nobody comes
		return false
	}
}

func (e *elevator) run(wg *sync.WaitGroup) {
	for e.serve() {
	}
	e.moveTo(0)
	verify.Assert(e.load == 0, "somebody is still in the elevator")
	wg.Done()
}

func travel(calls chan<- trip, from, to int) {
	t := trip{from: from, to: to, arrived: make(chan int)}
	calls <- t
	floor := <-t.arrived
	verify.Assert(floor == to, "a person got out on the wrong floor")
}

// main sends each person to an elevator.
func main() {
	var buttons [elevators]chan trip
	var bank [elevators]*elevator
	for i := range bank {
		buttons[i] = make(chan trip)
		bank[i] = newElevator(buttons[i])
	}
	for i := range people {
		from := i % floors
		go travel(buttons[i%elevators], from, (from+floors/2)%floors)
	}
	var wg sync.WaitGroup
	wg.Add(elevators)
	for _, e := range bank {
		go e.run(&wg)
	}
	wg.Wait()
	for _, e := range bank {
		verify.Assert(e.floor == 0, "an elevator is not at home")
	}
	fmt.Println(people, "people have arrived")
}
