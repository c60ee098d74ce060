import { useRef } from 'react';

/**
 * `act`, once at a time: pressed again before the answer is there, it does nothing. A state would be too late, since two
 * presses may come between two drawings. What `act` throws is for it to show.
 */
export function useSingleFlight(act: () => Promise<unknown>): () => void {
  const running = useRef(false);
  return () => {
    if (running.current) return;
    running.current = true;
    act()
      .catch(() => undefined)
      .finally(() => {
        running.current = false;
      });
  };
}
