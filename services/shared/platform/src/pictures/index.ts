export * from './redraw.ts';
