import { type ComponentType, lazy, useState } from 'react';
import { inTime } from '../shared/lib/in-time.ts';

/** A page whose code is loaded when it is first needed, and rendered immediately if it is loaded. */
export function lazyPage(load: () => Promise<{ default: ComponentType }>) {
  let loaded: ComponentType | undefined;
  const loadAndKeep = async () => {
    const module = await inTime(load());
    loaded = module.default;
    return module;
  };
  const Lazy = lazy(loadAndKeep);
  // Which of the two it is stays for as long as it is shown.
  // biome-ignore lint/correctness/noComponentHookFactories: made once for each page, outside of any component
  const Page = () => {
    const [Shown] = useState(() => loaded ?? Lazy);
    return <Shown />;
  };
  return Object.assign(Page, { load: loadAndKeep });
}
