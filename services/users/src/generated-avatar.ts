const ink = '#3e275e';
const paper = '#fffdf9';
const amber = '#dd9233';
const brick = '#c9584c';
const moss = '#4c8758';
const purple = '#7f65a8';
const blue = '#4f7ea8';
const rose = '#e39aa5';

/** A shape: fill and path. */
const fill = (color: string, d: string) => `<path fill="${color}" d="${d}"/>`;
const line = (color: string, width: number, d: string) =>
  `<path fill="none" stroke="${color}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" d="${d}"/>`;
const dots = (color: string, r: number, ...positions: [x: number, y: number][]) =>
  positions.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="${r}" fill="${color}"/>`).join('');

/** Motifs, and the background color that each would not stand out from. */
const motifs: { drawing: string; excludedBackgrounds: string[] }[] = [
  {
    // A fox.
    drawing: `${fill(amber, 'M12 14l14 8h12l14-8v20c0 10-8 18-20 18S12 44 12 34z')}${fill(paper, 'M12 34c8-2 16 2 20 10 4-8 12-12 20-10 0 10-8 18-20 18S12 44 12 34z')}${dots(ink, 3, [24, 33], [40, 33])}${fill(ink, 'M28 43h8l-4 5z')}`,
    excludedBackgrounds: ['sand', 'sun', 'brick'],
  },
  {
    // An owl.
    drawing: `${fill(purple, 'M14 14l10 5h16l10-5v24c0 10-8 17-18 17s-18-7-18-17z')}${dots(paper, 8.5, [24, 29], [40, 29])}${dots(ink, 4, [24, 29], [40, 29])}${fill(amber, 'M28 35h8l-4 7z')}${line(paper, 2.5, 'M24 47q4 3 8 0q4 3 8 0')}`,
    excludedBackgrounds: ['lilac', 'violet', 'plum'],
  },
  {
    // A bear.
    drawing: `${dots('#8b5e4a', 8, [18, 19], [46, 19])}${dots('#8b5e4a', 20, [32, 34])}${dots(rose, 4, [18, 19], [46, 19])}${fill('#f3dcc4', 'M32 36c7 0 11 4 11 9s-5 8-11 8-11-3-11-8 4-9 11-9z')}${dots(ink, 3, [24, 30], [40, 30])}${fill(ink, 'M27 40h10l-5 5z')}`,
    excludedBackgrounds: ['brick', 'plum'],
  },
  {
    // A cat.
    drawing: `${fill(ink, 'M13 12l13 9h12l13-9v22c0 11-8 19-19 19s-19-8-19-19z')}${fill('#ffd087', 'M20 31c2-4 8-4 9 1-3 3-7 3-9-1zm24 0c-2-4-8-4-9 1 3 3 7 3 9-1z')}${fill(rose, 'M29 39h6l-3 4z')}${line(paper, 2, 'M10 38l9 2m-8 7l9-3m34-6l-9 2m8 7l-9-3')}`,
    excludedBackgrounds: ['plum', 'pine', 'sea', 'violet'],
  },
  {
    // A rabbit.
    drawing: `${fill(paper, 'M22 32c-8-12-8-27-2-27s9 12 9 22h6c0-10 3-22 9-22s6 15-2 27c6 5 6 24-10 24S16 37 22 32z')}${fill(rose, 'M21 10c3 0 5 8 5 16-4-4-7-15-5-16zm22 0c-3 0-5 8-5 16 4-4 7-15 5-16z')}${dots(ink, 3, [25, 38], [39, 38])}${fill(rose, 'M29 44h6l-3 4z')}`,
    excludedBackgrounds: ['sand', 'lilac', 'mint'],
  },
  {
    // A frog.
    drawing: `${dots(moss, 9, [20, 20], [44, 20])}${fill(moss, 'M10 36c0-10 8-16 22-16s22 6 22 16-8 17-22 17-22-7-22-17z')}${dots(paper, 6, [20, 19], [44, 19])}${dots(ink, 3, [20, 19], [44, 19])}${line(paper, 3, 'M20 39q12 9 24 0')}${dots(rose, 3, [15, 36], [49, 36])}`,
    excludedBackgrounds: ['mint', 'leaf', 'pine'],
  },
  {
    // A penguin.
    drawing: `${fill(ink, 'M32 8c12 0 18 10 18 24s-6 24-18 24-18-10-18-24S20 8 32 8z')}${fill(paper, 'M32 30c4-8 12-8 13 0 2 14-4 24-13 24s-15-10-13-24c1-8 9-8 13 0z')}${dots(ink, 2.6, [26, 28], [38, 28])}${fill(amber, 'M26 33h12l-6 7z')}`,
    excludedBackgrounds: ['plum', 'pine', 'violet', 'sea'],
  },
  {
    // A whale.
    drawing: `${fill(blue, 'M8 36c0-10 9-15 20-15 12 0 16 8 22 8 0-5-3-7-3-12 4 0 7 2 8 5 2-3 4-4 7-4-1 8-4 12-8 14-1 12-9 20-24 20C17 52 8 46 8 36z')}${fill(paper, 'M9 41c8 3 20 3 32-1-2 8-10 12-18 12-8 0-13-5-14-11z')}${dots(ink, 2.6, [19, 34])}${line(paper, 3, 'M24 15c-1-5-5-6-8-4m8 4c1-5 5-6 8-4')}`,
    excludedBackgrounds: ['sky', 'sea', 'plum'],
  },
  {
    // A duck.
    drawing: `${fill('#ffd25f', 'M36 10c8 0 13 6 12 13-1 5-4 7-4 10 6 4 8 8 7 12-2 7-10 10-20 10-12 0-21-6-21-16 5 3 14 2 17-2-4-4-5-9-5-13 0-8 6-14 14-14z')}${fill(brick, 'M46 19c6-1 10 0 12 3-3 3-8 4-12 3z')}${dots(ink, 2.8, [39, 19])}${line(amber, 3, 'M26 42c4 4 12 4 16-1')}`,
    excludedBackgrounds: ['sun', 'sand'],
  },
  {
    // A ladybird.
    drawing: `${dots(ink, 10, [32, 18])}${dots(brick, 19, [32, 36])}${line(ink, 3, 'M32 17v38M26 9l-5-4m17 4l5-4')}${dots(ink, 4, [23, 31], [41, 31], [24, 43], [40, 43])}${dots(paper, 2.4, [28, 16], [36, 16])}`,
    excludedBackgrounds: ['brick', 'plum', 'pine'],
  },
  {
    // Mountains.
    drawing: `${fill(purple, 'M4 54L24 16l11 18 6-8 19 28z')}${fill(paper, 'M24 16l-7 13 4 3 3-4 4 4 3-4z')}${fill(ink, 'M28 54l13-20 17 20z')}`,
    excludedBackgrounds: ['lilac', 'violet', 'plum'],
  },
  {
    // A tent.
    drawing: `${fill(brick, 'M32 12l26 40H6z')}${fill(ink, 'M32 26l11 26H21z')}${line(paper, 3, 'M32 8v5M14 40L32 12l18 28')}`,
    excludedBackgrounds: ['brick', 'plum'],
  },
  {
    // A pine.
    drawing: `${fill('#8b5e4a', 'M28 44h8v12h-8z')}${fill(moss, 'M32 6l11 16h-5l9 13h-6l9 12H14l9-12h-6l9-13h-5z')}${fill('#235a31', 'M32 6l11 16h-5l9 13h-6l9 12H32z')}`,
    excludedBackgrounds: ['mint', 'leaf', 'pine'],
  },
  {
    // A sailing boat.
    drawing: `${fill(paper, 'M34 8c12 9 17 20 17 30H34z')}${fill(brick, 'M30 14v24H14c1-9 7-18 16-24z')}${fill(ink, 'M8 42h48c-3 9-9 13-17 13H25c-8 0-14-4-17-13z')}`,
    excludedBackgrounds: ['brick', 'sand', 'plum'],
  },
  {
    // A mushroom.
    drawing: `${fill('#f3dcc4', 'M25 34h14l4 22H21z')}${fill(brick, 'M8 38c0-18 11-28 24-28s24 10 24 28z')}${dots(paper, 5, [22, 27], [43, 30])}${dots(paper, 4, [33, 19])}${dots(paper, 3, [32, 33])}`,
    excludedBackgrounds: ['brick', 'sand'],
  },
  {
    // A flower.
    drawing: `${dots(paper, 9.5, [32, 16], [47, 27], [41, 45], [23, 45], [17, 27])}${dots(amber, 9, [32, 32])}`,
    excludedBackgrounds: ['sand', 'lilac', 'mint'],
  },
  {
    // A balloon.
    drawing: `${fill(brick, 'M32 5c12 0 20 8 20 19 0 9-7 15-12 20H24c-5-5-12-11-12-20C12 13 20 5 32 5z')}${fill(paper, 'M32 5c5 0 8 8 8 19 0 9-2 15-4 20h-8c-2-5-4-11-4-20 0-11 3-19 8-19z')}${line(ink, 2, 'M25 44l2 6m12-6l-2 6')}${fill('#8b5e4a', 'M25 49h14v7a3 3 0 0 1-3 3h-8a3 3 0 0 1-3-3z')}`,
    excludedBackgrounds: ['brick'],
  },
  {
    // A compass.
    drawing: `${dots(paper, 23, [32, 32])}<circle cx="32" cy="32" r="21" fill="none" stroke="${ink}" stroke-width="4"/>${fill(brick, 'M43 18l-6 18-10-9z')}${fill(blue, 'M21 46l6-19 10 9z')}${dots(ink, 3, [32, 32])}`,
    excludedBackgrounds: ['plum', 'sand'],
  },
  {
    // A lighthouse.
    drawing: `${fill('#ffd25f', 'M26 15L4 8v16zm12 0l22-7v16z')}${fill(paper, 'M24 56l3-36h10l3 36z')}${fill(brick, 'M26.4 28h11.2l.7 8H25.7zM25 44h14l.7 8H24.3z')}${fill(ink, 'M24 18h16v4H24zM26 11l6-6 6 6v7H26z')}${dots('#ffd25f', 2.6, [32, 14])}`,
    excludedBackgrounds: ['sun', 'sand', 'brick'],
  },
  {
    // A fire.
    drawing: `${fill(brick, 'M33 6c2 10 17 16 17 31 0 9-8 15-18 15s-18-6-18-15c0-8 6-11 7-18 4 2 6 5 6 9 5-5 8-12 6-22z')}${fill('#ffd25f', 'M33 28c2 5 9 8 9 15 0 5-4 8-10 8s-10-3-10-8c0-4 3-6 4-10 2 1 3 3 3 5 3-2 4-6 4-10z')}${line('#8b5e4a', 5, 'M16 57l32-6M48 57l-32-6')}`,
    excludedBackgrounds: ['brick', 'sun'],
  },
  {
    // A cactus.
    drawing: `${line(moss, 12, 'M32 46V16')}${line(moss, 8, 'M32 36H18v-9m14 3h14v-9')}${line('#235a31', 2, 'M32 14v30')}${dots(rose, 4, [32, 9], [46, 17])}${fill(amber, 'M20 44h24l-3 13H23z')}`,
    excludedBackgrounds: ['mint', 'leaf', 'pine'],
  },
  {
    // The moon.
    drawing: `${fill('#ffd25f', 'M40 8a25 25 0 1 0 14 36A22 22 0 0 1 40 8z')}${fill(paper, 'M46 20l2.5 5.5L54 28l-5.5 2.5L46 36l-2.5-5.5L38 28l5.5-2.5z')}${dots(amber, 3, [22, 32], [29, 45])}${dots(amber, 2, [29, 22])}`,
    excludedBackgrounds: ['sun', 'sand'],
  },
];

/** Background colors, and a shade of each. */
const backgrounds = {
  lilac: ['#d9cbec', '#ebe3f5'],
  pine: ['#235a31', '#397246'],
  sun: ['#ffbe72', '#ffd9a0'],
  sea: ['#3f6b93', '#4f7ea8'],
  mint: ['#b5e2bc', '#d9ecdc'],
  plum: ['#4a3269', '#5d4480'],
  sand: ['#ffe8c2', '#fff4e0'],
  brick: ['#cf6a5d', '#dd857a'],
  sky: ['#a9d0df', '#c9e3ec'],
  violet: ['#957ac1', '#aa93d1'],
  leaf: ['#7fb488', '#9ccca3'],
} as const;

const patterns = [
  '',
  'M0 46Q16 38 32 46T64 44V64H0z',
  'M32 4a28 28 0 1 1 0 56 28 28 0 0 1 0-56z',
  'M0 0h12L76 64H64zM24 0h12l40 40v12zM-12 12L52 76H40L-12 24zM48 0h12l16 16v12z',
] as const;

const pick = <T>(from: readonly T[], index: number): T | undefined => from[index % from.length];

/** A user's generated picture: the same for an id, and different for consecutive ids. */
export function drawAvatar(id: number): string {
  const round = Math.floor(id / motifs.length);
  // Coprime to their number, so that consecutive ids differ.
  const motif = pick(motifs, id * 5);
  const allowedBackgrounds = Object.entries(backgrounds).filter(
    ([name]) => !motif?.excludedBackgrounds.includes(name),
  );
  const [ground, shade] = pick(allowedBackgrounds, id * 3 + round)?.[1] ?? backgrounds.lilac;
  const pattern = pick(patterns, id + Math.floor(round / allowedBackgrounds.length));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">
<rect width="64" height="64" fill="${ground}"/>
<path fill="${shade}" d="${pattern}"/>
<g transform="translate(5.8 5.8) scale(.82)">${motif?.drawing}</g>
</svg>
`;
}
