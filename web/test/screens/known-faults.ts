/** A fault that is let through, and why. */
export interface KnownFault {
  /** Of the fault as it is told. */
  fault: RegExp;
  because: string;
}

/** What cannot be met: kept as short as can be. One that is not found any more fails the tests until it is taken out. */
export const knownFaults: KnownFault[] = [
  {
    fault: /^axe: target-size: .*leaflet/,
    because:
      'Pins stand where their challenges are, so one may cover a part of the next. Zooming takes them apart, and the list beside the map holds the same challenges.',
  },
];
