import { MantineProvider } from '@mantine/core';
import type { ComponentType, ReactNode } from 'react';
import { Provider } from 'react-redux';
import { BrowserRouter } from 'react-router-dom';
import type { Navigator } from '../shared/lib/navigator.ts';
import { styleNonce } from '../shared/lib/nonce.ts';
import { resolveVariables, theme } from '../shared/theme/theme.ts';
import { ErrorBoundary } from './layout/ErrorBoundary.tsx';
import { Layout } from './layout/Layout.tsx';
import { PageFailure } from './layout/PageFailure.tsx';
import { SagaNavigation } from './layout/SagaNavigation.tsx';
import { AppRoutes } from './routes.tsx';
import type { Store } from './store.ts';

interface Props {
  store: Store;
  navigator: Navigator;
  /** Where the address comes from, if there is no address bar. */
  Router?: ComponentType<{ children: ReactNode }>;
}

export function App({ store, navigator, Router = BrowserRouter }: Props) {
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
          <Layout>
            <ErrorBoundary instead={<PageFailure />}>
              <AppRoutes />
            </ErrorBoundary>
          </Layout>
        </Router>
      </MantineProvider>
    </Provider>
  );
}
