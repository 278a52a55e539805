import { waiveInvoice } from './billing.ts';
import { invalid, notModelled } from './errors.ts';
import { type List, page, paging } from './listing.ts';
import type { InvoiceLine } from './objects-invoice-line.ts';
import { defaultMethodOf, methodOf } from './payment-methods.ts';
import { payInvoice } from './payments.ts';
import { previewInvoice, previewItems } from './preview.ts';
import { type Route, route } from './router.ts';
import {
  address,
  bool,
  currency,
  int,
  itemChanges,
  list,
  object,
  oneOf,
  text,
  wanted,
} from './schema.ts';
import { retrieve, rowsOf } from './world.ts';

export const invoiceRoutes: Route[] = [
  route({
    on: 'GET /v1/invoices',
    params: { ...paging, status: oneOf(['open', 'paid']).optional(), subscription: wanted(text()) },
    returns: 'list of invoice',
    run: (world, { status, subscription, ...paged }) =>
      page(
        '/v1/invoices',
        rowsOf(
          world,
          'invoice',
          (row) =>
            row.parent.subscription_details.subscription === subscription &&
            (status === undefined || row.status === status),
        ),
        paged,
      ),
  }),
  route({
    on: 'POST /v1/invoices/create_preview',
    params: {
      automatic_tax: object({ enabled: bool }).optional(),
      currency: currency.optional(),
      customer_details: object({ address }).optional(),
      invoice_items: list(
        object({ amount: int(0), currency, tax_behavior: oneOf(['exclusive']) }),
      ).optional(),
      subscription: text().optional(),
      subscription_details: object({
        items: itemChanges.optional(),
        proration_behavior: oneOf(['create_prorations']).optional(),
        proration_date: int(0).optional(),
      }).optional(),
    },
    returns: 'invoice preview',
    run(world, { subscription, subscription_details: details, ...alone }) {
      if (subscription) return previewInvoice(world, subscription, details);
      return previewItems(alone);
    },
  }),
  route({
    on: 'GET /v1/invoices/:id',
    params: {},
    returns: 'invoice',
    run: (world, _params, id) => retrieve(world, 'invoice', id, 'invoice'),
  }),
  route({
    on: 'GET /v1/invoices/:id/lines',
    params: { limit: wanted(int(100, 100)) },
    returns: 'list of line_item',
    run(world, _params, id): List<InvoiceLine> {
      const { lines } = retrieve(world, 'invoice', id, 'invoice');
      const data = rowsOf(world, 'invoice_line', (row) => row.invoice === id);
      return { ...lines, data, has_more: false };
    },
  }),
  route({
    on: 'POST /v1/invoices/:id/void',
    params: {},
    returns: 'invoice',
    run(world, _params, id) {
      const invoice = retrieve(world, 'invoice', id, 'invoice');
      if (invoice.status !== 'open')
        throw invalid('You can only pass in open invoices. This invoice isn’t open.');
      waiveInvoice(world, invoice, 'void');
      return invoice;
    },
  }),
  route({
    on: 'POST /v1/invoices/:id/pay',
    params: { payment_method: text().optional() },
    returns: 'invoice',
    run(world, { payment_method: wantedMethod }, id) {
      const invoice = retrieve(world, 'invoice', id, 'invoice');
      if (invoice.status !== 'open' && invoice.status !== 'paid')
        throw notModelled(`To pay an invoice that is ${invoice.status}`);
      const { subscription } = invoice.parent.subscription_details;
      const method = wantedMethod
        ? methodOf(world, wantedMethod, invoice.customer, 'payment_method')
        : defaultMethodOf(world, retrieve(world, 'subscription', subscription));
      if (method === undefined) throw notModelled('To pay an invoice without a payment method');
      return payInvoice(world, invoice, method);
    },
  }),
];
