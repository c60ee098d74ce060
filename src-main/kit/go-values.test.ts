import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatFloat, parseFloat64, shortestFloat } from './go-float.ts';
import { ipText, parseIp } from './go-ip.ts';
import { quote, quoteRune, unquote } from './go-quote.ts';
import {
  byteAt,
  byteLength,
  compareBytes,
  fromBytes,
  joinRawBytes,
  sliceBytes,
  toBytes,
  toValidText,
  trimSpace,
} from './go-string.ts';

const RUNS = { seed: 20261121, numRuns: 500 };
const bytes = fc.uint8Array({ maxLength: 12 });
const text = fc.string({ unit: 'binary', maxLength: 12 });

describe('byte strings', () => {
  test('carry any bytes and give them back', () => {
    fc.assert(
      fc.property(bytes, (input) => {
        const carried = fromBytes(input);
        expect([...toBytes(carried)]).toEqual([...input]);
        expect(byteLength(carried)).toBe(input.length);
      }),
      RUNS,
    );
  });

  test('equal their UTF-8 text when the bytes are valid', () => {
    fc.assert(
      fc.property(text, (input) => fromBytes(new TextEncoder().encode(input)) === input.toWellFormed()),
      RUNS,
    );
  });

  test('are cut and joined by bytes', () => {
    fc.assert(
      fc.property(bytes, fc.nat(12), (input, at) => {
        const carried = fromBytes(input);
        const cut = Math.min(at, input.length);
        const halves = sliceBytes(carried, 0, cut) + sliceBytes(carried, cut, input.length);
        expect(joinRawBytes(halves)).toBe(carried);
        expect(byteAt(carried, cut)).toBe(input[cut]);
      }),
      RUNS,
    );
    expect(toValidText(`${sliceBytes('é', 0, 1)}|${sliceBytes('é', 0, 1)}${sliceBytes('é', 1, 2)}`)).toBe('\ufffd|é');
  });

  test('are ordered as their bytes are', () => {
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        expect(Math.sign(compareBytes(fromBytes(a), fromBytes(b)))).toBe(Buffer.compare(a, b));
      }),
      RUNS,
    );
    fc.assert(
      fc.property(text, text, (a, b) => Math.sign(compareBytes(a, b)) === Buffer.compare(toBytes(a), toBytes(b))),
      RUNS,
    );
  });

  test('are trimmed of white space and of nothing else', () => {
    expect(trimSpace('\u00a0\u2003 a b\n\t\u0085')).toBe('a b');
    expect(trimSpace('\ufeffa')).toBe('\ufeffa');
  });
});

describe('quoting', () => {
  test('is undone by unquoting', () => {
    fc.assert(
      fc.property(bytes, fc.boolean(), (input, asciiOnly) => {
        const carried = fromBytes(input);
        expect(unquote(quote(carried, asciiOnly))).toBe(carried);
      }),
      RUNS,
    );
  });

  test('refuses what Go refuses', () => {
    for (const bad of ['"\\q"', '"\\400"', '"\\ud800"', '"\\u12"', '"\\xZZ"', '"\\\'"'])
      expect(unquote(bad)).toBeUndefined();
    expect(unquote('`a\r\n\\n`')).toBe('a\n\\n');
    expect(quoteRune(-1)).toBe("'\ufffd'");
  });
});

describe('floats', () => {
  const float = fc.double({ noNaN: true, noDefaultInfinity: true });

  test('read back the same from their shortest and from their hexadecimal form', () => {
    fc.assert(
      fc.property(float, (value) => {
        expect(parseFloat64(shortestFloat(value))).toBe(value);
        expect(parseFloat64(formatFloat(value, 'e', -1))).toBe(value);
        expect(parseFloat64(formatFloat(value, 'x', -1))).toBe(value);
      }),
      RUNS,
    );
  });

  test('are rounded half to even on their exact value', () => {
    expect([0.5, 1.5, 2.5, 1e23, 0.125].map((value) => formatFloat(value, 'f', 0))).toEqual([
      '0',
      '2',
      '2',
      '99999999999999991611392',
      '0',
    ]);
    expect(formatFloat(0.1, 'f', 30)).toBe('0.100000000000000005551115123126');
    expect(formatFloat(9.995, 'e', 2)).toBe('9.99e+00');
    expect(formatFloat(99.5, 'g', 2)).toBe('1e+02');
    expect(formatFloat(1.999999, 'x', 1)).toBe('0x1.0p+01');
    expect(formatFloat(5e-324, 'b', -1)).toBe('1p-1074');
  });

  test('agree with fixed-point text of the engine away from ties', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e15, max: 1e15, noNaN: true }), fc.nat(10), (value, digits) => {
        const isTie = Number.isInteger(value * 10 ** digits * 2);
        expect(isTie || Number(formatFloat(value, 'f', digits)) === Number(value.toFixed(digits))).toBe(true);
      }),
      RUNS,
    );
  });

  test('are refused when they are no number or too large for one', () => {
    for (const bad of ['', '.', '1_', '_1', '1__0', '0x1', '0x.p1', '1e', '1e400', 'Inf', '0x1p99999']) {
      expect(parseFloat64(bad)).toBeUndefined();
    }
    expect([parseFloat64('1_000.5'), parseFloat64('0x1.8p1'), parseFloat64('-0x1p-1080')]).toEqual([1000.5, 3, -0]);
  });
});

describe('addresses', () => {
  test('print as Go prints them', () => {
    const shown = ['10.0.0.255', 'FD00::0010', '::', '::1', '1:0:0:2:0:0:0:3', '::ffff:1.2.3.4', '1:2:3:4:5:6:7:8'].map(
      (address) => ipText(parseIp(address) ?? new Uint8Array()),
    );
    expect(shown).toEqual(['10.0.0.255', 'fd00::10', '::', '::1', '1:0:0:2::3', '1.2.3.4', '1:2:3:4:5:6:7:8']);
    expect(parseIp('010.0.0.1')).toBeUndefined();
    expect(ipText(new Uint8Array())).toBe('<nil>');
    expect(ipText(Uint8Array.of(1, 2))).toBe('?0102');
  });
});
