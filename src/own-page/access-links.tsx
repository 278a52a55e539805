import { type OrderHash, type OrderPlace, writeOrderHash } from '../orders/order-api.ts';
import { fetchCall, reasonOf } from '../platform/fetch-call.ts';
import { useSite } from '../platform/site.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { CallForm } from '../ui/call-form.tsx';
import { CompanyPhone } from '../ui/contact-links.tsx';
import { Notice } from '../ui/notice.tsx';
import { usePress } from '../ui/presses.ts';
import { Sheet } from '../ui/sheet.tsx';
import { OPEN_ACCESS_LINK, SEND_LINK, SEND_LINKS } from './own-page-api.ts';
import { useChange } from './use-own-page.ts';

/** `isInvalid`: it was opened, and opens nothing. */
export function LostLink({ isInvalid = false }) {
  const { mail, company } = useSite();
  const { phone } = company;
  const title = isInvalid ? 'This link isn’t valid' : 'Lost your link?';
  return (
    <Sheet aria-label={title} className="mt-8 grid max-w-2xl gap-3 print:hidden">
      <h2 className="text-lg">{title}</h2>
      {isInvalid && (
        <p>
          {`It may be incomplete, or a newer one has replaced it. Please use the one ${whereLinkIs(mail)}.`}
        </p>
      )}
      {mail ? (
        <CallForm
          label="Send my links"
          schema={SEND_LINKS.body}
          read={(field) => ({ email: field('email') })}
          save={async ({ email }) => {
            await fetchCall(SEND_LINKS, { body: { email } });
            return email;
          }}
          button="Email my links"
          className="max-w-md"
        >
          {(line, sentTo) => (
            <>
              <p>Enter the email address you ordered with, and we’ll email you the link.</p>
              {line('Email', 'email', {
                type: 'email',
                autoComplete: 'email',
              })}
              {sentTo && (
                <Notice kind="success">
                  {`If we have orders for ${sentTo}, their links will be in your inbox shortly. Each works once and expires in 30 minutes. We won’t send new ones until the last ones expire.`}
                </Notice>
              )}
            </>
          )}
        </CallForm>
      ) : (
        <>
          <p>If you can’t find it, please call us, and we’ll find your order.</p>
          <ButtonLink href={`tel:${phone.tel}`} className="mt-2 justify-self-start">
            {`Call ${phone.display}`}
          </ButtonLink>
        </>
      )}
    </Sheet>
  );
}

export function whereLinkIs(mail: boolean): string {
  return mail ? 'in your receipt' : 'you saved after paying';
}

interface AskToChangeProps {
  route: OrderHash;
  /** The order's, to which the link is sent. */
  email: string;
}

const TO_DO: Partial<Record<OrderPlace, string>> = {
  card: 'enter a new card',
  prices: 'cancel your plan',
};

/** A receipt's link only reads. Changes take an access link by email, which comes back here. */
export function AskToChange({ route, email }: AskToChangeProps) {
  const { mail } = useSite();
  const { token, access, place } = route;
  const { isPending, problem, mutate } = useChange(token);
  const toDo = (place && TO_DO[place]) ?? 'change your plan';

  function open(link: string) {
    const forgetLink = () =>
      window.history.replaceState(null, '', writeOrderHash({ token, place }));
    const body = { token, access: link };
    mutate(() => fetchCall(OPEN_ACCESS_LINK, { body }).finally(forgetLink));
  }
  return (
    <Sheet aria-label="Change your plan" className="mt-8 grid gap-4 print:hidden">
      <h2 className="text-lg">Change your plan</h2>
      {problem && <Notice kind="error">{problem}</Notice>}
      {access === null || problem ? (
        <>
          <p className="text-sm">
            {`This page only shows your order, so it’s safe to forward. To ${toDo}, open a link that works once${mail ? `: we’ll email it to ${email}.` : '.'}`}
          </p>
          {mail ? (
            <FreshLink token={token} place={place} />
          ) : (
            <p className="text-sm">
              Please call <CompanyPhone className="text-primary" />, and we’ll send you one.
            </p>
          )}
        </>
      ) : (
        <>
          <p className="text-sm">
            Your link lets you change this plan from this browser. It works once.
          </p>
          <Button busy={isPending} onClick={() => open(access)} className="justify-self-start">
            Continue to my plan
          </Button>
        </>
      )}
    </Sheet>
  );
}

function FreshLink({ token, place }: Pick<OrderHash, 'token' | 'place'>) {
  const { isPending, isSuccess, error, mutate } = usePress({
    mutationFn: () => fetchCall(SEND_LINK, { body: { token, place } }),
  });
  return (
    <>
      {error && <Notice kind="error">{reasonOf(error)}</Notice>}
      {isSuccess ? (
        <Notice kind="success">
          The link will be in your inbox shortly. It works once and expires in 30 minutes. We won’t
          send a new one until it expires.
        </Notice>
      ) : (
        <Button busy={isPending} onClick={() => mutate()} className="justify-self-start">
          Email me the link
        </Button>
      )}
    </>
  );
}
