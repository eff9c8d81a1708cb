// A gauge adds up what two sensors report by MQTT. Messages are handled by several goroutines at once
// (SetOrderMatters(false), as the package asks of handlers that take their time), and the sum has no
// lock.
package main

import (
	"log"
	"strconv"
	"sync"

	mqtt "github.com/eclipse/paho.mqtt.golang"
)

// connect returns a client of the broker.
func connect(id string) mqtt.Client {
	c := mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://127.0.0.1:1883").SetClientID(id).SetOrderMatters(false))
	wait(c.Connect())
	return c
}

func wait(t mqtt.Token) {
	if t.Wait(); t.Error() != nil {
		log.Fatal(t.Error())
	}
}

func main() {
	var sum int
	var reports sync.WaitGroup
	reports.Add(2)
	gauge := connect("gauge")
	wait(gauge.Subscribe("watt/+", 0, func(_ mqtt.Client, m mqtt.Message) {
		defer reports.Done()
		n, err := strconv.Atoi(string(m.Payload()))
		if err != nil {
			log.Fatal(err)
		}
		sum += n // BUG: the other report may be added at the same time
	}))
	roof, cellar := connect("roof"), connect("cellar")
	roof.Publish("watt/roof", 0, false, "100")
	cellar.Publish("watt/cellar", 0, false, "100")
	reports.Wait()
	if sum != 200 {
		log.Panicf("100 and 100 are %d", sum)
	}
	for _, c := range []mqtt.Client{roof, cellar, gauge} {
		c.Disconnect(250)
	}
}
