/**
 * Ids of deliveries: UUIDs of version 7. They ascend in the order of creation, also when the clock goes backwards, so that
 * the order of keys is the order of events.
 */
const HIGHEST_COUNT = 0xfff;

export interface DeliveryIds {
  /** `now` in milliseconds since 1970. */
  next(now: number): string;
  /** Later ids come after this one, whatever the clock says. */
  after(id: string): void;
}

/** `random` makes random UUIDs; their tail is used. */
export function createDeliveryIds(random: () => string): DeliveryIds {
  let lastMs = 0;
  let count = 0;
  return {
    next(now) {
      if (now > lastMs) {
        lastMs = Math.floor(now);
        count = 0;
      } else if (++count > HIGHEST_COUNT) {
        lastMs++;
        count = 0;
      }
      const ms = lastMs.toString(16).padStart(12, '0');
      return `${ms.slice(0, 8)}-${ms.slice(8)}-7${count.toString(16).padStart(3, '0')}-${random().slice(19)}`;
    },
    after(id) {
      const ms = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
      if (Number.isNaN(ms) || ms < lastMs) return;
      lastMs = ms;
      // The whole millisecond counts as used.
      count = HIGHEST_COUNT;
    },
  };
}
