const skies = ['#ebe3f5', '#ffe8c2', '#d9ecdc', '#d9cbec', '#fff4e0', '#eef7ef'] as const;
const suns = ['#dd9233', '#ffbe72', '#957ac1', '#ffd087', '#c57d13'] as const;
const hills = ['#649c6e', '#7fb488', '#957ac1', '#7f65a8', '#4c8758'] as const;
const nearHills = ['#397246', '#6a5191', '#4c8758', '#573e7a', '#235a31'] as const;

/** Knuth's multiplicative hash spreads neighbouring ids apart. */
const spread = (id: number) => Math.imul(id, 2_654_435_761) >>> 0;

/** A little landscape for somebody without a picture of their own: the same id always gives the same. */
export function drawAvatar(id: number): string {
  const seed = spread(id);
  const pick = <T>(from: readonly T[], shift: number): T | undefined => from[(seed >>> shift) % from.length];
  const sunX = 16 + ((seed >>> 3) % 33);
  const sunY = 14 + ((seed >>> 9) % 14);
  const ridge = 30 + ((seed >>> 13) % 10);
  const valley = 42 + ((seed >>> 17) % 8);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">
<rect width="64" height="64" fill="${pick(skies, 0)}"/>
<circle cx="${sunX}" cy="${sunY}" r="8" fill="${pick(suns, 5)}"/>
<path d="M0 ${ridge}Q16 ${ridge - 14} 32 ${ridge}T64 ${ridge - 4}V64H0Z" fill="${pick(hills, 11)}"/>
<path d="M0 ${valley}Q20 ${valley - 10} 38 ${valley + 2}T64 ${valley - 2}V64H0Z" fill="${pick(nearHills, 19)}"/>
<path d="M30 64Q26 56 34 51T36 ${valley + 1}" fill="none" stroke="#fffdf9" stroke-width="3" stroke-linecap="round"/>
</svg>
`;
}
