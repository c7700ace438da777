import { sagaStarted } from '../src/shared/saga/feature-sagas.ts';
import { resourceLoaded } from '../src/shared/saga/resources.ts';
import { startApp } from './support/app.ts';

it('reports a value in an action or in the state that is not serializable, except sagas and photos (52)', () => {
  const report = jest.spyOn(console, 'error').mockImplementation(() => {});
  try {
    const { store } = startApp();
    const photo = { input: { params: { id: 7, photo: 'heron' } }, key: 'the photo', next: null };
    store.dispatch(resourceLoaded({ ...photo, operation: 'getPhoto', pages: [new Blob(['heron'])] }));
    store.dispatch(sagaStarted(function* nothing() {}));
    expect(report).not.toHaveBeenCalled();
    store.dispatch({ type: 'test/done', payload: { callback: () => {} } });
    expect(String(report.mock.calls[0])).toContain('non-serializable value was detected in an action');
    store.dispatch(resourceLoaded({ ...photo, operation: 'getPhoto', pages: [Object(new Map())] }));
    expect(report.mock.calls.map(String).join()).toContain(
      'non-serializable value was detected in the state',
    );
  } finally {
    report.mockRestore();
  }
});
