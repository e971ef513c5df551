//! Which member of a group owns an event: the slotkey rule `fnv1a32-fmix32 subject,id`.
//!
//! Every member of a group receives every event and keeps those whose slot it holds. Members in all languages agree,
//! because all compute: key = subject, else id; hash = FNV-1a (32 bit) over the key's bytes in UTF-8, then MurmurHash3's
//! finalizer; slot = hash mod size, unsigned. The rule never changes. Keys are taken as they are: no trimming, no folding,
//! no normalisation. Anything that is `AsRef<[u8]>` is a key: a `&str` counts as its UTF-8.
//!
//! ```ignore
//! if !slotkey::owns(key, 3, 1)? {
//!     return Ok(()); // acknowledge and forget: another member has it
//! }
//! ```

use std::fmt;

pub const MAX_SIZE: u32 = 1024;

/// A value out of its limits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutOfRange(pub String);

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for OutOfRange {}

/// The key of an event, or None where it has none. An attribute that is None or empty is absent.
pub fn routing_key<K: AsRef<[u8]>>(subject: Option<K>, id: Option<K>) -> Option<K> {
    let present = |attribute: &K| !attribute.as_ref().is_empty();
    subject.filter(present).or(id.filter(present))
}

/// The first stage of the hash. A plain `*` would panic on overflow in a debug build.
pub fn fnv1a32(key: impl AsRef<[u8]>) -> u32 {
    key.as_ref().iter().fold(2_166_136_261, |h, &byte| (h ^ u32::from(byte)).wrapping_mul(16_777_619))
}

/// The second stage of the hash.
pub fn fmix32(mut h: u32) -> u32 {
    h = (h ^ h >> 16).wrapping_mul(0x85eb_ca6b);
    h = (h ^ h >> 13).wrapping_mul(0xc2b2_ae35);
    h ^ h >> 16
}

/// The hash of a key. Unlike a `DefaultHasher`'s it is the same in every release.
pub fn hash32(key: impl AsRef<[u8]>) -> u32 {
    fmix32(fnv1a32(key))
}

/// The slot of a key in a group of `size` slots, from 0.
pub fn slot(key: impl AsRef<[u8]>, size: u32) -> Result<u32, OutOfRange> {
    if size < 1 || size > MAX_SIZE {
        return Err(OutOfRange(format!("size {size} is not 1 to {MAX_SIZE}")));
    }
    Ok(hash32(key) % size)
}

/// Whether the member that holds slot `index` owns the key.
pub fn owns(key: impl AsRef<[u8]>, size: u32, index: u32) -> Result<bool, OutOfRange> {
    if index >= size {
        return Err(OutOfRange(format!("index {index} is not below size {size}")));
    }
    Ok(slot(key, size)? == index)
}

/// The holders of slots 0 to `slots` - 1, if `members` share them: balanced, and stable when members change.
pub fn deal(slots: u32, members: u32) -> Result<Vec<u32>, OutOfRange> {
    if members < 1 || members > slots || slots > MAX_SIZE {
        return Err(OutOfRange(format!("{members} members cannot share {slots} slots")));
    }
    let mut hands: Vec<Vec<u32>> = vec![(0..slots).collect()];
    for newcomer in 1..members {
        let mut taken: Vec<u32> = (0..slots / (newcomer + 1))
            .filter_map(|_| hands.iter_mut().max_by_key(|hand| hand.len())?.pop()) // the last of equals
            .collect();
        taken.sort_unstable();
        hands.push(taken);
    }
    let mut holders = vec![0; slots as usize];
    for (member, hand) in (0..).zip(&hands) {
        for &slot in hand {
            holders[slot as usize] = member;
        }
    }
    Ok(holders)
}
