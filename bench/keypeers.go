package main

import (
	"crypto/md5"
	"encoding/binary"
	"hash/fnv"
	"strconv"

	"github.com/IBM/sarama"
	"github.com/buraksezer/consistent"
	xx "github.com/cespare/xxhash/v2"
	"github.com/dgryski/go-jump"
	"github.com/dgryski/go-rendezvous"
	"github.com/twmb/franz-go/pkg/kgo"
)

// peerPartitioners are what others use for the same question, each called as they call it.
func peerPartitioners(keys []string, size int) []partitioner {
	bytes := make([][]byte, len(keys))
	for i, key := range keys {
		bytes[i] = []byte(key)
	}
	return []partitioner{
		fromBytes("franz-go, SaramaHasher, FNV-1a", bytes, size, kgo.SaramaHasher(fnv32a)),
		fromBytes("franz-go, KafkaHasher, murmur2 (as Kafka)", bytes, size, kafkaHasher()),
		saramaPartitioner(bytes, size),
		jumpPartitioner(bytes, size),
		xxhashPartitioner(keys, size),
		md5Partitioner(bytes, size),
		consistentPartitioner(bytes, size),
		rendezvousPartitioner(keys, size),
	}
}

// fnv32a is the hash that franz-go's documentation shows for SaramaCompatHasher.
func fnv32a(key []byte) uint32 {
	h := fnv.New32a()
	h.Write(key)
	return h.Sum32()
}

// kafkaHasher is what franz-go does with a key by default: KafkaHasher of its murmur2, which it does not export.
func kafkaHasher() kgo.PartitionerHasher {
	p := kgo.StickyKeyPartitioner(nil).ForTopic("topic")
	var record kgo.Record
	return func(key []byte, n int) int {
		record.Key = key
		return p.Partition(&record, n)
	}
}

func fromBytes(name string, keys [][]byte, size int, slot func([]byte, int) int) partitioner {
	return partitioner{name,
		func(i int) int { return slot(keys[i], size) },
		func(n int) {
			for i := range n {
				ours = slot(keys[i%sameKeys], size) == 1
			}
		},
	}
}

func saramaPartitioner(keys [][]byte, size int) partitioner {
	p := sarama.NewHashPartitioner("topic")
	messages := make([]sarama.ProducerMessage, len(keys))
	for i := range messages {
		messages[i].Key = sarama.ByteEncoder(keys[i])
	}
	slot := func(i int) int {
		s, err := p.Partition(&messages[i], int32(size))
		if err != nil {
			return -1
		}
		return int(s)
	}
	return partitioner{"sarama, hash partitioner", slot, func(n int) {
		for i := range n {
			ours = slot(i%sameKeys) == 1
		}
	}}
}

// As kube-state-metrics assigns objects to its shards, by their UID.
func jumpPartitioner(keys [][]byte, size int) partitioner {
	slot := func(i int) int {
		h := fnv.New64a()
		h.Write(keys[i])
		return int(jump.Hash(h.Sum64(), size))
	}
	return partitioner{"FNV-64a, jump hash (as kube-state-metrics)", slot, func(n int) {
		for i := range n {
			ours = slot(i%sameKeys) == 1
		}
	}}
}

// As vmagent assigns scrape targets to the members of its cluster.
func xxhashPartitioner(keys []string, size int) partitioner {
	return partitioner{xxhash,
		func(i int) int { return int(xx.Sum64String(keys[i]) % uint64(size)) },
		func(n int) {
			for i := range n {
				ours = xx.Sum64String(keys[i%sameKeys])%uint64(size) == 1
			}
		},
	}
}

// As the hashmod action of Prometheus; Message DB takes the first eight bytes in place of the last.
func md5Partitioner(keys [][]byte, size int) partitioner {
	slot := func(i int) int {
		sum := md5.Sum(keys[i])
		return int(binary.BigEndian.Uint64(sum[8:]) % uint64(size))
	}
	return partitioner{"md5, mod n (as Prometheus, Message DB)", slot, func(n int) {
		for i := range n {
			ours = slot(i%sameKeys) == 1
		}
	}}
}

// ringMember is a member of a ring, by its number.
type ringMember int

func (m ringMember) String() string { return "member-" + strconv.Itoa(int(m)) }

type ringHash struct{}

func (ringHash) Sum64(b []byte) uint64 { return xx.Sum64(b) }

func consistentPartitioner(keys [][]byte, size int) partitioner {
	members := make([]consistent.Member, size)
	for i := range members {
		members[i] = ringMember(i)
	}
	ring := consistent.New(members, consistent.Config{Hasher: ringHash{}, PartitionCount: 10*size + 1, ReplicationFactor: 20, Load: 1.25})
	slot := func(i int) int { return int(ring.LocateKey(keys[i]).(ringMember)) }
	return partitioner{"buraksezer/consistent, xxhash", slot, func(n int) {
		for i := range n {
			ours = slot(i%sameKeys) == 1
		}
	}}
}

func rendezvousPartitioner(keys []string, size int) partitioner {
	names := make([]string, size)
	for i := range names {
		names[i] = ringMember(i).String()
	}
	r := rendezvous.New(names, xx.Sum64String)
	number := map[string]int{}
	for i, name := range names {
		number[name] = i
	}
	return partitioner{"dgryski/go-rendezvous, xxhash",
		func(i int) int { return number[r.Lookup(keys[i])] },
		func(n int) {
			for i := range n {
				ours = r.Lookup(keys[i%sameKeys]) == names[1]
			}
		},
	}
}
