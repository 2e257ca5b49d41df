"""Tests of succeeded.py, by themselves: python succeeded_test.py."""

import unittest

from succeeded import CANNOT, faults, read

ANSWERS = ["DELETE /a 200:2 404:1", "GET /a 200:3", "succeeded 2 DELETE /a", "succeeded 0 GET /a", "allowed 4 text", "allowed 3 INVALID_INPUT"]


class Succeeded(unittest.TestCase):
    def test_read(self):
        self.assertEqual(read(ANSWERS), ({"DELETE /a": 2, "GET /a": 0}, 7))

    def test_never(self):
        self.assertEqual([fault.split(".")[0] for fault in faults({"GET /a": 0, "GET /b": 1}, {})], ["GET /a never succeeded"])

    def test_listed(self):
        self.assertEqual(faults({"GET /a": 0, "GET /b": 1}, {"GET /a": "a reason"}), [])

    def test_listed_and_succeeds(self):
        found = faults({"GET /a": 1}, {"GET /a": "a reason"})
        self.assertEqual(len(found), 1)
        self.assertIn("no longer needs to be", found[0])

    def test_listed_and_gone(self):
        self.assertEqual(len(faults({"GET /a": 1}, {"GET /b": "a reason"})), 1)

    def test_reasons(self):
        self.assertTrue(all(CANNOT.values()))


if __name__ == "__main__":
    unittest.main()
