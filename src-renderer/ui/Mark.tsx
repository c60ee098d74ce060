/** The product's mark: a P with a point in its bowl, the condition on which everything else rests. */
export function Mark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="var(--pv-accent)" />
      <path
        d="M9 26V7h8.2a6.3 6.3 0 0 1 0 12.6H14"
        fill="none"
        stroke="var(--pv-on-accent)"
        strokeWidth="3.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="17" cy="13.3" r="2" fill="var(--pv-on-accent)" />
    </svg>
  );
}
