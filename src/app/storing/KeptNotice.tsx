import { Notice } from '../Notice';
import { useKept, type KeptOffer } from './kept';
import { offerText } from './offerText';
import { openStoredRuns } from './storedRunsDoor';

/** Over the results: what an earlier visit has left, what cannot be read, and which tab keeps this notebook. */
export function KeptNotice() {
  const offer = useKept((state) => state.offer);
  const isElsewhere = useKept((state) => state.isElsewhere);
  const damage = useKept((state) => state.damage);
  return (
    <>
      {damage !== null && <DamageNotice damage={damage} />}
      {isElsewhere && <ElsewhereNotice />}
      {offer !== null && <OfferNotice offer={offer} />}
    </>
  );
}

function OfferNotice({ offer }: { readonly offer: KeptOffer }) {
  const actions = useKept((state) => state.actions);
  return (
    <Notice
      tone="plain"
      title={offerText(offer)}
      actions={
        <>
          <button
            type="button"
            className="primary"
            onClick={() => {
              // What came of it is said in the live region.
              void actions?.open(offer.id);
            }}
          >
            Open
          </button>
          <button type="button" onClick={() => actions?.leave(offer.id)}>
            Leave it
          </button>
        </>
      }
    >
      <p>
        It is in this browser from an earlier visit. Left, it stays among the{' '}
        <button type="button" className="text-button" onClick={openStoredRuns}>
          stored runs
        </button>
        .
      </p>
    </Notice>
  );
}

function ElsewhereNotice() {
  const actions = useKept((state) => state.actions);
  return (
    <Notice
      tone="warning"
      title="This notebook is open in another tab, which keeps it"
      actions={
        <button type="button" onClick={() => actions?.keepHere()}>
          Keep here instead
        </button>
      }
    >
      <p>
        Here it can be read and run, but nothing is kept. When the other tab is closed, this one
        keeps it.
      </p>
    </Notice>
  );
}

function DamageNotice({ damage }: { readonly damage: string }) {
  return (
    <Notice
      tone="warning"
      title="What this browser has kept cannot be read"
      actions={
        <button type="button" onClick={() => useKept.setState({ damage: null })}>
          Close
        </button>
      }
    >
      <p>{damage} The page works all the same.</p>
    </Notice>
  );
}
