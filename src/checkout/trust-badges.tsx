import ShieldCheck from 'lucide-react/icons/shield-check';
import { Container } from '../ui/layout.tsx';

/** Each word leads to the passage that says what it means here. */
const BADGES = [
  { words: 'Secure Transactions', passage: 'secure-transactions' },
  { words: 'Verified Business', passage: 'verified-business' },
  { words: 'SSL Protected', passage: 'ssl-protected' },
  { words: 'PCI Compliant', passage: 'pci-compliant' },
];

export function TrustBadges() {
  return (
    <footer className="border-t border-line bg-paper pb-(--foot) lg:pb-0 print:hidden">
      <Container className="py-6">
        <ul className="grid min-[18rem]:grid-cols-[auto_auto] justify-start gap-x-4 gap-y-1 sm:flex sm:flex-wrap sm:justify-center sm:gap-x-8">
          {BADGES.map(({ words, passage }) => (
            <li key={words}>
              <a
                href={`/security-policy#${passage}`}
                className="inline-flex min-h-11 items-center gap-2 text-sm font-medium text-body hover:text-primary"
              >
                <ShieldCheck className="size-4.5 shrink-0 text-primary" />
                {words}
              </a>
            </li>
          ))}
        </ul>
      </Container>
    </footer>
  );
}
