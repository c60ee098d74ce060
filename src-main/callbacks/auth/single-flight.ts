/** Many who want the same thing at the same time get it once. The work is stopped when the last of them has left. */
import { Stop, unlessStopped } from '../stop.ts';

interface Flight<T> {
  readonly result: Promise<T>;
  readonly stop: Stop;
  waiting: number;
}

export class SingleFlight<T> {
  readonly #flights = new Map<string, Flight<T>>();

  /** `work` gets a Stop of its own. Rejects with Stopped when the caller's `stop` comes first. */
  async join(key: string, stop: Stop, work: (stop: Stop) => Promise<T>): Promise<T> {
    let flight = this.#flights.get(key);
    if (!flight) {
      const own = new Stop();
      flight = { result: work(own), stop: own, waiting: 0 };
      this.#flights.set(key, flight);
      const started = flight;
      const land = (): void => {
        if (this.#flights.get(key) === started) this.#flights.delete(key);
      };
      flight.result.then(land, land);
    }
    flight.waiting++;
    try {
      return await unlessStopped(flight.result, stop);
    } finally {
      if (--flight.waiting === 0) {
        if (this.#flights.get(key) === flight) this.#flights.delete(key);
        flight.stop.trigger('unwanted');
      }
    }
  }
}
