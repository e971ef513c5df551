package receiver_test

import (
	"net/http"
	"testing"
)

// seeds are events with what decoders stumble over.
var seeds = []string{
	`{"specversion":"1.0","id":"1","type":"t","source":"/s"}`,
	`{"specversion":"1.0","id":"1","type":"t","source":"/s","subject":"s","subject":null}`,
	`{"specversion":"1.0","id":"1","type":"t","source":"/s","sub\u006aect":"\ud83d\ude00"}`,
	` { "data" : {"subject":"x"}, "specversion" : "1.0" , "id":"a","type":"t", "source":"/s" , "partitionkey" : "p" } `,
	`{"id":"1","type":"t","source":"/s","number":7.5,"flag":true,"specversion":"1.0"}`,
	`{"specversion":"1.0","id":"1","type":"t","source":"/s","number":-2147483648,"flag":false}`,
	`{"specversion":"1.0","id":"1","type":"t","source":"/s","number":0.99999999999999999999}`,
	`{"specversion":"1.0","id":"1","type":"t","source":"/s","number":2147483647.0000000001}`,
	`{"specversion":"0.3","id":"1","type":"t","source":"/s","datacontentencoding":"base64","data":"aGk=","datacontenttype":"text/plain"}`,
	`{"specversion":"1.0","id":"1","type":"t","source":"/s","time":"2026-11-30T12:00:00Z","dataschema":"http://x","datacontenttype":"application/json","data":[1,{"id":"2"}]}`,
	"{\"specversion\":\"1.0\",\"id\":\"\xff\",\"type\":\"t\",\"source\":\"/s\"}",
	`{"specversion":"1.0","id":"1","type":"t","source":"/s","":1,"subject":"s"}`,
	`{"specversion":"1.0","id":"1","type":"t","source":"/s","data_base64":1}`,
	`{"specversion":"1.0","id":"\ud800\ud83d\ude00","type":"t","source":"/s"}`,
	`{"PartitionKey":[],"PartitionKey":"","number":{},"number":7,"specversion":"1.0","id":"1","type":"t","source":"/s"}`,
	`{"id":"1","type":"t","source":"/s","PartitionKey":true,"specversion":"0.3","dataschema":"a"}`,
	`null`, `[]`, `{}`, `{"specversion":"1.0"}`,
}

// For every body that the SDK decodes, what is read without decoding is what the decoded event has.
func FuzzBody(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if checkBody(t, body) {
			if e, _, _ := unmarshal(body); true {
				checkModes(t, e)
			}
		}
	})
}

// For all headers that the SDK decodes, what is read without decoding is what the decoded event has.
func FuzzHeader(f *testing.F) {
	f.Add("1", "s", "p", "text/plain", "X", "y")
	f.Add(" 1\u00a0", "", "7.5", "", "Time", "2026-11-30T12:00:00Z")
	f.Add("%31", " ", "true", "application/json", "", "")
	f.Fuzz(func(t *testing.T, id, subject, partitionkey, contentType, name, value string) {
		h := http.Header{"Ce-Specversion": {"1.0"}, "Ce-Type": {"t"}, "Ce-Source": {"/s"}}
		for n, v := range map[string]string{"Ce-Id": id, "Ce-Subject": subject, "Ce-Partitionkey": partitionkey, "Content-Type": contentType, "Ce-" + name: value} {
			h.Add(n, v)
		}
		checkHeader(t, h)
	})
}

func TestSeedsAgree(t *testing.T) {
	decoded := 0
	for _, seed := range seeds {
		if checkBody(t, []byte(seed)) {
			decoded++
		}
	}
	if decoded != 16 {
		t.Errorf("the SDK decodes %d of the seeds, want 16", decoded)
	}
}
