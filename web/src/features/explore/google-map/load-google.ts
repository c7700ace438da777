/// <reference types="google.maps" />

declare global {
  interface Window {
    wayquestMapsLoaded?: () => void;
    /** Google calls this when it rejects the key, which happens when the first map is drawn. */
    gm_authFailure?: () => void;
  }
}

const address = 'https://maps.googleapis.com/maps/api/js';
const libraries = ['maps', 'marker', 'geocoding', 'places'];

/** Google's script reports no error if a part of it cannot be loaded. */
const timeoutMs = 30_000;

let isKeyRejected = false;
const watchers = new Set<() => void>();

/** Whether Google has rejected this page's key, for `useSyncExternalStore`. */
export const keyRejection = {
  hasHappened: () => isKeyRejected,
  watch(onRefused: () => void) {
    watchers.add(onRefused);
    return () => void watchers.delete(onRefused);
  },
};

function addScript(key: string): Promise<void> {
  const script = document.createElement('script');
  const parameters = {
    key,
    callback: 'wayquestMapsLoaded',
    libraries: libraries.join(),
    loading: 'async',
    v: 'weekly',
  };
  script.src = `${address}?${new URLSearchParams(parameters)}`;
  script.async = true;
  return new Promise<void>((resolve, reject) => {
    const fail = (why: string) => {
      script.remove();
      reject(new Error(`Google's map ${why}`));
    };
    const timer = setTimeout(fail, timeoutMs, 'took too long');
    script.onerror = () => {
      clearTimeout(timer);
      fail('did not load');
    };
    window.gm_authFailure = () => {
      isKeyRejected = true;
      fail('rejected the key');
      for (const notify of watchers) notify();
    };
    window.wayquestMapsLoaded = () => {
      clearTimeout(timer);
      resolve();
    };
    document.head.append(script);
  });
}

async function load(key: string): Promise<void> {
  if (isKeyRejected) throw new Error("Google's map rejected the key");
  if (!('google' in window)) await addScript(key);
  await Promise.all(libraries.map((name) => google.maps.importLibrary(name)));
}

let loaded: Promise<void> | undefined;

/**
 * Loads Google's script once; again after a failure. The loaders of @react-google-maps/api are hooks and components,
 * which cannot be awaited outside React and do not report a rejected key.
 */
export function loadGoogle(key: string): Promise<void> {
  loaded ??= load(key).catch((error) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}
