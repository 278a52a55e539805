/** What the page asks of a form in which a card is entered; whose fields they are, the provider decides. */
export interface CardFormProps {
  /** Begins it: the secret lets the browser enter a card. Throws what is to be said to the customer. */
  start(): Promise<string>;
  /** The card has been entered with this secret. Gives why it is not in use, or null. */
  use(clientSecret: string): Promise<string | null>;
  billing: { name: string; email: string; phone: string | null; company: string | null };
  onCancel: () => void;
}
