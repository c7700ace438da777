import type { MantineColorsTuple } from '@mantine/core';

export const purple: MantineColorsTuple = [
  '#f6f2fb',
  '#ebe3f5',
  '#d9cbec',
  '#c3aee0',
  '#ab93d1',
  '#957ac1',
  '#7f65a8',
  '#6a5191',
  '#573e7a',
  '#3e275e',
];

export const moss: MantineColorsTuple = [
  '#eef7ef',
  '#d9ecdc',
  '#b5e2bc',
  '#9ccca3',
  '#7fb488',
  '#649c6e',
  '#4c8758',
  '#397246',
  '#235a31',
  '#07411b',
];

export const amber: MantineColorsTuple = [
  '#fff4e0',
  '#ffe8c2',
  '#ffd087',
  '#ffbe72',
  '#f1aa56',
  '#dd9233',
  '#c57d13',
  '#a96500',
  '#8b4c00',
  '#6b3000',
];

/** Grays with a little of the brand's purple. */
export const gray: MantineColorsTuple = [
  '#f8f6fa',
  '#f0edf3',
  '#e5e0ea',
  '#d6cfdd',
  '#b9b0c3',
  '#948a9f',
  '#6d6378',
  '#564d60',
  '#3c3446',
  '#241c2e',
];

/** Text, lines and backgrounds of the dark theme, in Mantine's order. */
export const dark: MantineColorsTuple = [
  '#efe9f6',
  '#d3cadd',
  '#b3a8c0',
  '#9a8ea9',
  '#473d54',
  '#352d41',
  '#211c2a',
  '#17141d',
  '#110e16',
  '#0c0a10',
];

/** The app's names of text and background colors; `scheme.ts` turns them into CSS variables. */
export const light = {
  ground: '#fffdf9',
  raised: '#ffffff',
  sunken: gray[1],
  text: gray[9],
  dimmed: gray[6],
  link: purple[7],
  done: moss[7],
  points: amber[8],
  error: '#b3261e',
  line: gray[2],
  disabled: gray[2],
  /** The border of fields and buttons: a contrast of 3:1. */
  control: gray[5],
};

export const night: typeof light = {
  ground: dark[7],
  raised: dark[6],
  sunken: dark[5],
  text: dark[0],
  dimmed: dark[2],
  link: purple[4],
  done: moss[3],
  points: amber[3],
  error: '#ffa198',
  line: dark[5],
  disabled: dark[4],
  control: '#7a6e90',
};
