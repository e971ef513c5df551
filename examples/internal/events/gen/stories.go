package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// people have names from everywhere; they are compared byte for byte, never folded or normalised.
var people = []string{
	"Zoë Ångström", "小林さくら", "Łukasz Żak", "Nguyễn Thị Hoa", "Олена Шевчук", "José Núñez", "Ayşe Yıldız", "محمد العلي", "Anna Müller",
	"Σοφία Παπαδοπούλου", "Siobhán Ó Briain", "王小明", "Priya Raman", "Jürgen Groß", "Chloé Lefèvre", "김민준", "Bob Stone",
}

var goods = []string{"tea, 250 g", "walnut bowl", "linen apron", "seed tray", "enamel mug", "beeswax candle", "garden twine", "copper watering can"}

// shop: orders are placed, paid, packed, shipped and delivered, or cancelled.
func (y *diary) shop() {
	for number := 4101; number < 4125; number++ {
		subject := "orders/" + strconv.Itoa(number)
		customer := pick(y.dice, people)
		at := y.later(morning, 0, 600)
		priority := field{"priority", strconv.Itoa(y.between(1, 9))}
		step := func(source, kind string, data []field, more ...field) {
			y.note(at, entry{source: source, kind: "com.example.shop.order." + kind, subject: subject, data: data, extensions: more})
			at = y.later(at, 2, 90)
		}
		var items []string
		cents := 0
		for range y.between(1, 3) {
			quantity, price := y.between(1, 4), y.between(250, 6500)
			cents += quantity * price
			items = append(items, fields("item", quote(pick(y.dice, goods)), "quantity", strconv.Itoa(quantity)))
		}
		total := fmt.Sprintf("%d.%02d", cents/100, cents%100)
		step("/shop/checkout", "placed", y.jsonData(fields("order", strconv.Itoa(number), "customer", quote(customer), "items", "["+strings.Join(items, ",")+"]",
			"total", fields("amount", quote(total), "currency", `"EUR"`))), y.trace(), priority)
		if y.oneIn(8) {
			step("/shop/checkout", "cancelled", text("text/plain; charset=utf-8", customer+` wrote: "sorry, I pressed the button twice"`))
			continue
		}
		// The payment has an id and a subject of its own inside data: neither is the event's.
		step("https://pay.example.com/webhooks", "paid", y.jsonData(fields("id", quote(fmt.Sprintf("pay_%x", y.bytes(6))), "subject", quote("invoice for order "+strconv.Itoa(number)), "amount", quote(total))), y.trace())
		step("/shop/warehouse", "packed", y.jsonData(fields("parcels", strconv.Itoa(y.between(1, 2)), "grams", strconv.Itoa(y.between(120, 4800)))), priority)
		step("/shop/warehouse", "shipped", text("application/xml", `<parcel carrier="Kurier &amp; Sons"><code>KS`+strconv.Itoa(y.between(10_000_000, 99_999_999))+`</code></parcel>`), field{"sampled", "true"})
		if !y.oneIn(4) {
			step("//carrier.example.net/track", "delivered", nil)
		}
	}
}

// glasshouse: sensors report through the day, in JSON, in text and in frames of bytes.
func (y *diary) glasshouse() {
	for _, bench := range []string{"north/1", "north/2", "south/1", "south/2", "nursery"} {
		for _, what := range []string{"temperature", "moisture"} {
			at := y.later(morning, 0, 30)
			for range y.between(5, 9) {
				value := fmt.Sprintf("%d.%d", y.between(14, 31), y.n(10))
				var data []field
				switch y.n(4) {
				case 0:
					data = binary("application/octet-stream", y.bytes(6))
				case 1:
					data = text("text/csv", "sensor,value\r\n"+what+","+value+"\r\n")
				default:
					data = y.jsonData(fields("value", value, "battery", strconv.Itoa(y.between(40, 100)), "ok", "true"))
				}
				y.note(at, entry{source: "urn:example:glasshouse", kind: "com.example.glasshouse.reading.v2", subject: "glasshouse/" + bench + "/" + what, data: data,
					extensions: []field{{"partitionkey", quote(bench)}}})
				at = y.later(at, 30, 90)
			}
		}
	}
}

// people: accounts are opened, changed and used.
func (y *diary) people() {
	for i, name := range people {
		at := y.later(morning, 0, 240)
		user := func(kind string, data []field) {
			y.note(at, entry{source: "https://accounts.example.org/", kind: "org.example.accounts." + kind, subject: "users/" + name, data: data})
			at = y.later(at, 5, 200)
		}
		user("opened", append([]field{{"dataschema", `"https://accounts.example.org/schemas/account.json"`}}, y.jsonData(fields("name", quote(name), "number", strconv.Itoa(900+i)))...))
		if y.oneIn(2) {
			user("picture-changed", binary("image/png", append([]byte("\x89PNG\r\n\x1a\n"), y.bytes(24)...)))
		}
		for range y.n(3) {
			user("signed-in", y.jsonData(fields("device", quote(pick(y.dice, []string{"phone", "laptop", "tablet"})), "subject", quote("not the event's"))))
		}
		if y.oneIn(4) {
			user("closed", y.jsonData("null"))
		}
	}
}

// archive: objects with long names are stored, checked and removed.
func (y *diary) archive() {
	shelf := "archive/municipal records/land registry/parcels east of the old canal/surveys and corrections/"
	for i := range 8 {
		subject := shelf + fmt.Sprintf("volume %02d/sheet %03d — measured, redrawn and signed by two witnesses (final, really final).tiff", i/3+1, y.between(1, 400))
		at := y.later(morning, 30, 500)
		for _, kind := range []string{"stored", "checked", "moved", "removed"}[:y.between(2, 4)] {
			y.note(at, entry{source: "//storage.example.com/buckets/records", kind: "com.example.storage.object." + kind, subject: subject,
				data:       y.jsonData(fields("size", strconv.Itoa(y.between(10_000, 90_000_000)), "etag", quote(fmt.Sprintf(`"%x"`, y.bytes(8))), "note", quote(`{"subject":"only text"}`))),
				extensions: []field{{"sequence", quote(fmt.Sprintf("%08d", y.count))}}})
			at = y.later(at, 1, 60)
		}
	}
}

// cafe: tables order, eat and pay; ids start again at each till, so they repeat. Only source and id
// together are unique.
func (y *diary) cafe() {
	for table, name := range []string{"café/table 1", "café/table 2", "café/terrasse 🌿", "café/bar", "café/Stammtisch \"Gänseblümchen\""} {
		at := morning.Add(time.Hour)
		for i := range y.between(6, 9) {
			at = y.later(at, 3, 60)
			dish := pick(y.dice, []string{"crème brûlée", "soupe à l'oignon", "tarte aux pommes", "un café, s'il vous plaît", "gâteau ½", "thé 🍵"})
			y.note(at, entry{source: fmt.Sprintf("/café/till/%d", table), kind: "com.example.cafe.item", subject: name, id: strconv.Itoa(i + 1),
				data: pick(y.dice, [][]field{y.jsonData(quote(dish)), y.jsonData(fmt.Sprintf("[%s,%d]", quote(dish), y.between(1, 4))), text("text/plain", dish)})})
		}
	}
}

// machines: events without a subject, which are placed by their id.
func (y *diary) machines() {
	for range 36 {
		at := y.later(morning, 0, 720)
		switch y.n(3) {
		case 0:
			y.note(at, entry{source: "urn:example:host:" + pick(y.dice, []string{"alder", "birch", "cedar"}), kind: "com.example.host.heartbeat"})
		case 1: // a subject of null is none
			y.note(at, entry{source: "/billing", kind: "com.example.billing.closed", data: y.jsonData(fields("invoices", strconv.Itoa(y.between(3, 80)))), extensions: []field{{"subject", "null"}}})
		default:
			y.note(at, entry{source: "/deploy", kind: "com.example.deploy.finished", data: text("text/markdown", "**done** in "+strconv.Itoa(y.between(20, 300))+" s\n"), extensions: []field{y.trace()}})
		}
	}
}
