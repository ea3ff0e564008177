"""Two deviations at once: findings that repeat a difference are marked as known, and that must not hide a second deviation.

jrpc-reference has both faults of a pair, and the cases that are for one of them run. The rule of each fault must have a finding that is
not marked as known."""

import fault_matrix
import pytest
from matrix import load_faults

# Of one kind: what is read too leniently, what is served though it is not valid, ids, batches, notifications, errors. Then of two kinds.
PAIRS = """
lenient-colons+lenient-trailing-comma lenient-comments+lenient-commas lenient-leading-zero+lenient-single-quotes
lenient-escapes+lenient-trailing-bytes lenient-control-characters+lenient-exponent lenient-bare-keys+lenient-literals
lenient-leading-plus+lenient-bare-fraction lenient-number-bases+lenient-single-quotes lenient-space+utf8-unchecked
version-unchecked+id-any-type id-any-type+params-scalar-passed version-loose+params-scalar-passed params-null-taken+version-unchecked
method-evaluated+params-null-taken method-evaluated+version-unchecked rpc-method-served+method-evaluated
id-fraction-truncated+batch-notification-null-element id-html-escaped+lenient-trailing-comma id-nul-cut+utf8-unchecked
batch-of-notifications-answered+batch-parse-error-in-array batch-invalid-as-parse-error+batch-of-one-bare batch-invalid-once+id-sign-lost
notification-dropped+push-method-number notification-error-answered+response-version-missing code-as-string+message-missing
data-with-trace+result-int32 long-number-silent+notification-dropped response-crash+id-literal-converted
lenient-single-quotes+params-null-taken param-names-shortened+params-wide-internal-error
""".split()

WAY = fault_matrix.WAYS[0]


@pytest.fixture(scope="module")
def matrix(tmp_path_factory):
    return fault_matrix.Matrix(tmp_path_factory.mktemp("pairs"))


@pytest.fixture(scope="module")
def rules():
    return load_faults(fault_matrix.REFERENCE)


@pytest.fixture(scope="module")
def cases():
    return [case for case in fault_matrix.load_cases() if fault_matrix.suits(WAY, case)]


@pytest.mark.parametrize("pair", PAIRS)
def test_neither_of_two_deviations_hides_the_other(matrix, rules, cases, pair):
    faults = pair.split("+")
    events, said = matrix.run(WAY, pair, [case for case in cases if set(case.catches) & set(faults)])
    assert events, said
    fresh = {finding["rule"] for event in events.values() for finding in event["findings"]
             if finding["level"] != "OBSERVE" and not finding.get("known")}
    assert {rules[fault] for fault in faults} <= fresh
