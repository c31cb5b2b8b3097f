import type { ReactNode } from 'react';
import { useSearch, useSearchParams } from 'wouter';
import { formText } from '../../lib/formValues.js';
import { useCan } from '../../lib/session.js';
import { useCall, useWrite, type OutputOf } from '../../lib/useActions.js';
import { Checkbox, Field, FormButton, useToast } from '../../ui/index.js';
import { COLUMNS_PARAM, DropDown, keptColumns } from '../../ui/data/index.js';

type View = OutputOf<'get_saved_views'>[number];

interface SavedViewsProps {
  screen: View['screen'];
  /** What of the address a view does not keep: the open row. */
  leftOut: readonly string[];
  /** Under which this browser keeps the columns of the list, which a view keeps too. */
  columnsOf?: string;
}

/** Filters kept under a name: chosen, saved and deleted here. */
export function SavedViews({ screen, leftOut, columnsOf }: SavedViewsProps): ReactNode {
  const views = useCall('get_saved_views', { screen });
  const [, setParams] = useSearchParams();
  const query = keptOf(useSearch(), leftOut);
  const current = views.data?.find((view) => keptOf(view.query, leftOut) === query);
  return (
    <>
      <DropDown
        label={current ? `View: ${current.name}` : 'Views'}
        name="Saved views"
        className="button quiet"
      >
        {(close) => (
          <ul className="filter-names">
            {(views.data ?? []).map((view) => (
              <ViewItem
                key={view.id}
                view={view}
                isCurrent={view === current}
                onOpen={() => {
                  setParams(new URLSearchParams(view.query));
                  close();
                }}
              />
            ))}
            {views.data?.length === 0 && (
              <li className="muted">Filter the list, then save it as a view.</li>
            )}
          </ul>
        )}
      </DropDown>
      {query !== '' && !current && (
        <SaveView
          screen={screen}
          query={query}
          columnsOf={columnsOf}
          onSaved={(view) => {
            if (view.query !== query) setParams(new URLSearchParams(view.query));
          }}
        />
      )}
    </>
  );
}

/** In one order, so that equal filters are equal texts. */
function keptOf(search: string, leftOut: readonly string[]): string {
  const params = new URLSearchParams(search);
  for (const name of leftOut) params.delete(name);
  params.sort();
  return params.toString();
}

/** With the columns that are shown, where the address does not have them. */
function withColumns(query: string, columnsOf: string | undefined): string {
  const params = new URLSearchParams(query);
  const columns = columnsOf === undefined ? null : keptColumns(columnsOf);
  if (columns !== null && !params.has(COLUMNS_PARAM)) params.set(COLUMNS_PARAM, columns);
  return params.toString();
}

interface ViewItemProps {
  view: View;
  isCurrent: boolean;
  onOpen(): void;
}

function ViewItem({ view, isCurrent, onOpen }: ViewItemProps): ReactNode {
  const remove = useWrite('delete_saved_view');
  const save = useWrite('save_view');
  const toast = useToast();
  const drop = async (): Promise<void> => {
    if (!(await remove.run({ view_id: view.id }))) return;
    const { screen, name, query, is_shared } = view;
    toast(`View “${name}” deleted.`, {
      undo: () => void save.run({ screen, name, query, is_shared }),
    });
  };
  return (
    <li className="view-item">
      <button type="button" aria-pressed={isCurrent} onClick={onOpen}>
        <bdi>{view.name}</bdi>
        {view.is_shared && (
          <span className="muted">{view.is_own ? ' · shared' : ` · by ${view.owner_name}`}</span>
        )}
      </button>
      {view.is_own && (
        <button type="button" aria-label={`Delete view ${view.name}`} onClick={() => void drop()}>
          <span aria-hidden="true">✕</span>
        </button>
      )}
    </li>
  );
}

interface SaveViewProps extends Pick<SavedViewsProps, 'screen' | 'columnsOf'> {
  query: string;
  onSaved(view: View): void;
}

function SaveView({ screen, query, columnsOf, onSaved }: SaveViewProps): ReactNode {
  const save = useWrite('save_view');
  // Not everyone sees people: a search for one of them is not shared.
  const isOfPerson = screen === 'leads' && Boolean(new URLSearchParams(query).get('search'));
  const canShare = useCan('send_test_lead') && !isOfPerson;
  const toast = useToast();
  return (
    <FormButton
      button="Save view"
      title="Save these filters as a view"
      kind="quiet"
      submit="Save view"
      write={save}
      run={(values) =>
        save.run({
          screen,
          query: withColumns(query, columnsOf),
          name: formText(values, 'name'),
          is_shared: values.has('is_shared'),
        })
      }
      onDone={(view) => {
        onSaved(view);
        toast(`View “${view.name}” saved.`);
      }}
    >
      <Field label="Name" name="name" required maxLength={80} />
      {canShare && <Checkbox label="Share with everyone in the organization" name="is_shared" />}
    </FormButton>
  );
}
