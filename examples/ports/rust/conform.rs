//! Speaks the protocol of docs/conformance.md for slotkey.rs.

mod slotkey;

use std::error::Error;
use std::io::{self, BufRead, BufWriter, Write};

type Answer = Result<String, Box<dyn Error>>;

fn bytes(field: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let digit = |c: u8| (c as char).to_digit(16).map(|d| d as u8).ok_or("not hexadecimal");
    field.as_bytes().chunks(2).map(|pair| Ok(digit(pair[0])? << 4 | digit(pair[1])?)).collect()
}

fn attribute(field: &str) -> Result<Option<Vec<u8>>, Box<dyn Error>> {
    if field == "-" { Ok(None) } else { bytes(field).map(Some) }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

fn hashes(key: &[u8]) -> String {
    format!("{:08x}\t{:08x}", slotkey::fnv1a32(key), slotkey::hash32(key))
}

fn answer(operation: &str, fields: &[&str]) -> Answer {
    Ok(match (operation, fields) {
        ("hash", [key]) => hashes(&bytes(key)?),
        ("slot", [key, size]) => {
            let key = bytes(key)?;
            let slot = slotkey::slot(&key, size.parse()?)?;
            format!("{}\t{slot}", hashes(&key))
        }
        ("owns", [key, size, index]) => slotkey::owns(bytes(key)?, size.parse()?, index.parse()?)?.to_string(),
        ("key", [subject, id]) => match slotkey::routing_key(attribute(subject)?, attribute(id)?) {
            Some(key) => hex(&key),
            None => "-".to_string(),
        },
        ("deal", [slots, members]) => {
            let holders = slotkey::deal(slots.parse()?, members.parse()?)?;
            holders.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
        }
        _ => return Err("unknown request".into()),
    })
}

fn main() -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout());
    let version = option_env!("RUSTC_VERSION").unwrap_or("unknown");
    writeln!(out, "slotkey-port/1\tRust\t{version}\tnul bytes deal")?;
    out.flush()?;
    for line in io::stdin().lock().lines() {
        let line = line?;
        let fields: Vec<&str> = line.split('\t').collect();
        match answer(fields[1], &fields[2..]) {
            Ok(text) => writeln!(out, "{}\t{text}", fields[0])?,
            Err(reason) => writeln!(out, "{}\terror\t{reason}", fields[0])?,
        }
    }
    out.flush()
}
