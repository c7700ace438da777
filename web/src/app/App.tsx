import { MantineProvider } from '@mantine/core';
import type { Client } from '@wayquest/contracts';
import { type ComponentType, type ReactNode, useEffect } from 'react';
import { Provider } from 'react-redux';
import { BrowserRouter, useNavigate } from 'react-router-dom';
import type { Navigator } from '../shared/lib/navigator.ts';
import { styleNonce } from '../shared/lib/nonce.ts';
import { ApiContext } from '../shared/lib/use-query.ts';
import { resolveVariables, theme } from '../shared/theme/theme.tsx';
import { Layout } from './layout/Layout.tsx';
import { AppRoutes } from './routes.tsx';
import type { Store } from './store.ts';

/** Lets sagas navigate by the router. */
function SagaNavigation({ navigator }: { navigator: Navigator }) {
  const navigate = useNavigate();
  useEffect(() => navigator.attach((to) => void navigate(to)), [navigator, navigate]);
  return null;
}

interface Props {
  api: () => Promise<Client>;
  store: Store;
  navigator: Navigator;
  /** Provides the address, if there is no address bar. */
  Router?: ComponentType<{ children: ReactNode }>;
}

export function App({ api, store, navigator, Router = BrowserRouter }: Props) {
  return (
    <Provider store={store}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={resolveVariables}
        defaultColorScheme="auto"
        getStyleNonce={styleNonce}
      >
        <Router>
          <SagaNavigation navigator={navigator} />
          <ApiContext value={api}>
            <Layout>
              <AppRoutes />
            </Layout>
          </ApiContext>
        </Router>
      </MantineProvider>
    </Provider>
  );
}
