import { describe, expect, it } from 'vitest';
import { Pace } from './pace.ts';

describe('the pace of batches', () => {
  it('leaves the thread to others for several times the work done, when they use it', () => {
    const pace = new Pace();
    expect(pace.rests(0)).toBe(false);
    pace.work(0.2);
    pace.work(0.1);
    pace.sent(10);
    let now = 10.1;
    // Turns of the event loop that others fill.
    for (; pace.rests(now); now += 0.2) expect(now).toBeLessThan(13.6);
    expect(now).toBeGreaterThan(13.5);
    expect(pace.rests(now + 1)).toBe(false);
  });

  it('rests for one turn only when nobody else wants the thread', () => {
    const pace = new Pace();
    pace.work(0.3);
    pace.sent(10);
    expect(pace.rests(10.1)).toBe(true);
    expect(pace.rests(10.11)).toBe(false);
  });

  it('does not take its own work for that of others', () => {
    const pace = new Pace();
    pace.work(0.3);
    pace.sent(10);
    expect(pace.rests(10.1)).toBe(true);
    pace.work(0.5);
    expect(pace.rests(10.62)).toBe(false);
  });

  it('never rests after little work, and never long', () => {
    const pace = new Pace();
    pace.work(0.05);
    pace.sent(10);
    expect(pace.rests(10)).toBe(false);
    pace.work(1000);
    pace.sent(20);
    expect(pace.rests(24.9)).toBe(true);
    expect(pace.rests(25)).toBe(false);
  });
});
