import { ContactForm } from '../contact/contact-form.tsx';
import { LastSubmission } from '../contact/last-submission.tsx';

export default { ContactForm, LastSubmission };
