type Go = (to: string) => void;

/** Lets sagas navigate; the router registers itself once it is mounted. */
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
