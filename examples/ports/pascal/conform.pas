{ Speaks the protocol of docs/conformance.md for slotkey.pas. }
program Conform;

{$mode objfpc}{$H+}

uses
  SysUtils, Slotkey;

type
  TFields = array of RawByteString;

function Split(const Line: RawByteString): TFields;
var
  Start, I, N: SizeInt;
begin
  Result := nil;
  N := 0;
  Start := 1;
  for I := 1 to Length(Line) + 1 do
    if (I > Length(Line)) or (Line[I] = #9) then
    begin
      SetLength(Result, N + 1);
      Result[N] := Copy(Line, Start, I - Start);
      Inc(N);
      Start := I + 1;
    end;
end;

function Digit(C: Char): Byte;
begin
  if C <= '9' then Result := Ord(C) - Ord('0') else Result := Ord(C) - Ord('a') + 10;
end;

{ The bytes of a field. An absent attribute is an empty one to slotkey.pas. }
function Bytes(const Field: RawByteString): RawByteString;
var
  I: SizeInt;
begin
  if Field = '-' then Exit('');
  Result := '';
  SetLength(Result, Length(Field) div 2);
  for I := 1 to Length(Result) do
    Result[I] := Chr(Digit(Field[2 * I - 1]) shl 4 or Digit(Field[2 * I]));
end;

function Hex(const Key: RawByteString): RawByteString;
var
  I: SizeInt;
begin
  if Key = '' then Exit('-');
  Result := '';
  for I := 1 to Length(Key) do
    Result := Result + LowerCase(IntToHex(Ord(Key[I]), 2));
end;

function Hashes(const Key: RawByteString): RawByteString;
var
  State: LongWord;
begin
  State := Fnv1a32(Key);
  Result := LowerCase(IntToHex(State, 8) + #9 + IntToHex(Fmix32(State), 8));
end;

function HoldersText(const Holders: THolders): RawByteString;
var
  I: SizeInt;
begin
  Result := '';
  for I := 0 to High(Holders) do
  begin
    if I > 0 then Result := Result + ',';
    Result := Result + IntToStr(Holders[I]);
  end;
end;

function Answer(const F: TFields): RawByteString;
var
  TheSlot: Integer;
begin
  case F[1] of
    'hash': Result := Hashes(Bytes(F[2]));
    'slot':
      begin
        TheSlot := Slot(Bytes(F[2]), StrToInt64(F[3]));
        Result := Hashes(Bytes(F[2])) + #9 + IntToStr(TheSlot);
      end;
    'owns': Result := LowerCase(BoolToStr(Owns(Bytes(F[2]), StrToInt64(F[3]), StrToInt64(F[4])), True));
    'key': Result := Hex(RoutingKey(Bytes(F[2]), Bytes(F[3])));
    'deal': Result := HoldersText(Deal(StrToInt64(F[2]), StrToInt64(F[3])));
  else
    raise EOutOfRange.Create('unknown operation');
  end;
end;

var
  Line: RawByteString;
  F: TFields;
  InBuffer, OutBuffer: array[0..65535] of Char;

begin
  SetTextBuf(Input, InBuffer);
  SetTextBuf(Output, OutBuffer);
  Write('slotkey-port/1'#9'Pascal'#9'Free Pascal ', {$I %FPCVERSION%}, #9'nul bytes deal'#10);
  Flush(Output);
  while not Eof(Input) do
  begin
    ReadLn(Input, Line);
    F := Split(Line);
    try
      Line := Answer(F); { before Write, which writes what stands before an exception }
    except
      on E: EOutOfRange do Line := 'error'#9 + E.Message;
    end;
    Write(F[0], #9, Line, #10);
  end;
  Flush(Output);
end.
