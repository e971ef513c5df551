{ Which member of a group owns an event: the slotkey rule "fnv1a32-fmix32 subject,id". Free Pascal 3.

  Every member of a group receives every event and keeps those whose slot it holds. Members in all languages agree,
  because all compute: key = subject, else id; hash = FNV-1a (32 bit) over the key's bytes in UTF-8, then MurmurHash3's
  finalizer; slot = hash mod size, unsigned. The rule never changes. Keys are taken as they are: no trimming, no folding, no
  normalisation. A key is a RawByteString: its bytes count, valid UTF-8 or not. A UnicodeString goes through UTF8Encode first.

      if not Owns(Key, 3, 1) then Exit;  // acknowledge and forget: another member has it }
unit Slotkey;

{$mode objfpc}{$H+}

interface

uses
  SysUtils;

const
  MaxSize = 1024;

type
  EOutOfRange = class(Exception);
  THolders = array of Integer;

{ The key of an event; the empty string, which is no key, where it has none. An empty attribute is absent. }
function RoutingKey(const Subject, Id: RawByteString): RawByteString;

{ The first stage of the hash. }
function Fnv1a32(const Key: RawByteString): LongWord;

{ The second stage of the hash. }
function Fmix32(H: LongWord): LongWord;

{ The hash of a key. }
function Hash32(const Key: RawByteString): LongWord;

{ The slot of a key in a group of Size slots, from 0. Raises EOutOfRange unless Size is 1 to 1024. }
function Slot(const Key: RawByteString; Size: Int64): Integer;

{ Whether the member that holds slot Index owns the key. Raises EOutOfRange unless 0 <= Index < Size <= 1024. }
function Owns(const Key: RawByteString; Size, Index: Int64): Boolean;

{ The holders of slots 0 to Slots - 1, if Members share them: balanced, and stable when members change. Raises EOutOfRange
  unless 1 <= Members <= Slots <= 1024. }
function Deal(Slots, Members: Int64): THolders;

implementation

{ Products have 64 bits and wrap, in a program that checks overflows too; the low 32 bits are right. }
{$push}{$Q-}{$R-}
function Multiply(A, B: LongWord): LongWord; inline;
begin
  Result := LongWord(QWord(A) * QWord(B));
end;
{$pop}

function RoutingKey(const Subject, Id: RawByteString): RawByteString;
begin
  if Subject <> '' then Result := Subject else Result := Id;
end;

function Fnv1a32(const Key: RawByteString): LongWord;
var
  I: SizeInt;
begin
  Result := 2166136261;
  for I := 1 to Length(Key) do
    Result := Multiply(Result xor Ord(Key[I]), 16777619);
end;

function Fmix32(H: LongWord): LongWord;
begin
  H := Multiply(H xor (H shr 16), $85ebca6b);
  H := Multiply(H xor (H shr 13), $c2b2ae35);
  Result := H xor (H shr 16);
end;

function Hash32(const Key: RawByteString): LongWord;
begin
  Result := Fmix32(Fnv1a32(Key));
end;

function Slot(const Key: RawByteString; Size: Int64): Integer;
begin
  if (Size < 1) or (Size > MaxSize) then
    raise EOutOfRange.CreateFmt('size %d is not 1 to %d', [Size, MaxSize]);
  Result := Hash32(Key) mod Size;
end;

function Owns(const Key: RawByteString; Size, Index: Int64): Boolean;
begin
  if (Index < 0) or (Index >= Size) then
    raise EOutOfRange.CreateFmt('index %d is not below size %d', [Index, Size]);
  Result := Slot(Key, Size) = Index;
end;

function Deal(Slots, Members: Int64): THolders;
var
  Held: array of Integer;
  Newcomer, Taken, Member, Giver, S: Integer;
begin
  if (Members < 1) or (Members > Slots) or (Slots > MaxSize) then
    raise EOutOfRange.CreateFmt('%d members cannot share %d slots', [Members, Slots]);
  Result := nil;
  SetLength(Result, Slots); { all 0: member 0 has them }
  Held := nil;
  SetLength(Held, Members);
  Held[0] := Slots;
  for Newcomer := 1 to Members - 1 do
    for Taken := 1 to Slots div (Newcomer + 1) do
    begin
      Giver := 0;
      for Member := 1 to Newcomer - 1 do
        if Held[Member] >= Held[Giver] then Giver := Member;
      S := Slots - 1;
      while Result[S] <> Giver do Dec(S);
      Result[S] := Newcomer;
      Dec(Held[Giver]);
      Inc(Held[Newcomer]);
    end;
end;

end.
