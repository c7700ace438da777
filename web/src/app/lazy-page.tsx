import { type ComponentType, lazy, useState } from 'react';
import { withTimeout } from '../shared/lib/with-timeout.ts';

/** A page whose code is loaded when it is first needed, and rendered immediately if it is loaded. */
export function lazyPage(load: () => Promise<{ default: ComponentType }>) {
  let loaded: ComponentType | undefined;
  const loadOnce = async () => {
    const module = await withTimeout(load());
    loaded = module.default;
    return module;
  };
  const Lazy = lazy(loadOnce);
  // The component must not change while it is mounted.
  // biome-ignore lint/correctness/noComponentHookFactories: made once for each page, outside of any component
  const Page = () => {
    const [Shown] = useState(() => loaded ?? Lazy);
    return <Shown />;
  };
  return Object.assign(Page, { load: loadOnce });
}
