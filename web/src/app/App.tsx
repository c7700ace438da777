import { MantineProvider } from '@mantine/core';
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

export function App({ store, navigator }: { store: Store; navigator: Navigator }) {
  return (
    <Provider store={store}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={resolveVariables}
        defaultColorScheme="auto"
        getStyleNonce={styleNonce}
      >
        <BrowserRouter>
          <SagaNavigation navigator={navigator} />
          <Layout>
            <ErrorBoundary instead={<PageFailure />}>
              <AppRoutes />
            </ErrorBoundary>
          </Layout>
        </BrowserRouter>
      </MantineProvider>
    </Provider>
  );
}
