type Go = (to: string) => void;

/** Lets sagas go to a page; the router takes its place in it once it stands. */
export interface Navigator {
  go: Go;
  attach(go: Go): void;
}

export function createNavigator(): Navigator {
  let current: Go | undefined;
  return {
    go: (to) => current?.(to),
    attach(go) {
      current = go;
    },
  };
}
